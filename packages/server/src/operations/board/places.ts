import {
  BOARD_CONTEXT,
  ENTRY_TYPES,
  formatRef,
  parseRef,
  sidebarIdOfContext,
  sidebarOf,
  type Context,
  type Entry,
  type Origin,
} from '@yarnboard/domain';
import { findSession, sessionIdOf, type SessionNames } from '../request/find-session.ts';
import { Refused, refusedFor } from '../request/refusal.ts';
import type { Store } from '@yarnboard/store';
import type { Engine } from '../../engine/engine.ts';

export type PlacesNeeds = SessionNames & { readonly store: Pick<Store, 'log'>; readonly engine: Pick<Engine, 'board'> };

/** MEM-1: what a sidebar branches off from: nothing, a sidebar, a message of a sidebar or session, or a session as it stands now. */
export const originFor = async (needs: PlacesNeeds, parentId: string | null): Promise<Origin> => {
  if (parentId === null) return { kind: 'none' };
  const sidebar = sidebarOf(needs.engine.board(), parentId);
  if (sidebar !== null) return { kind: 'sidebar', sidebarId: sidebar.id, upTo: null };
  const entry = await entryFor(needs, parentId);
  if (entry !== null) return originAt(entry);
  const { sessionId } = await contextFor(needs, parentId, 'branch off from');
  return { kind: 'session', sessionId, leafUuid: await newestMessageOf(needs, sessionId), upTo: null };
};

const originAt = (entry: Entry): Origin => {
  const sidebarId = sidebarIdOfContext(entry.contextId);
  if (sidebarId !== null) return { kind: 'sidebar', sidebarId, upTo: entry.position };
  if (entry.contextId === BOARD_CONTEXT)
    throw new Refused('bad-reference', `${entry.refs[0] ?? entry.uuid} does not belong to a conversation; branch off from a message or a session`);
  // A merge into a session isn't a message in its file, so only the log position can mark the branch point.
  const leafUuid = entry.type === ENTRY_TYPES.line ? entry.uuid : null;
  return { kind: 'session', sessionId: entry.sessionId, leafUuid, upTo: leafUuid === null ? entry.position : null };
};

/** The entry for a numbered reference or a uuid. */
const entryFor = async (needs: PlacesNeeds, text: string): Promise<Entry | null> => {
  const { log } = needs.store;
  const ref = parseRef(text);
  if (ref.ok && ref.value.kind === 'numbered') {
    if (ref.value.type === 'EXCH' || ref.value.part !== null) {
      throw new Refused('bad-reference', `nothing can branch off from ${formatRef(ref.value)}; give the MSG-n of the last message to inherit`);
    }
    const position = await log.positionOfRef(ref.value.type, ref.value.number);
    if (position === null) throw refusedFor('not-on-board', { asked: formatRef(ref.value) });
    return log.entryAt(position);
  }
  return log.entryByUuid(text);
};

/** A session that is on the log. */
const contextFor = async (needs: PlacesNeeds, text: string, what: string): Promise<{ readonly sessionId: string }> => {
  const found = await findSession(needs, text);
  // A file can have any name, so one named like a context of ours must not give access to it.
  const id = sessionIdOf(found);
  if (id === BOARD_CONTEXT || sidebarIdOfContext(id) !== null) {
    throw new Refused('bad-reference', `${id.slice(0, 100)} is not a session to ${what}; name a sidebar by its SB-n`);
  }
  if (found.kind === 'imported') return { sessionId: found.row.sessionId };
  throw new Refused('session-busy', `session ${text} is not on the log yet, so there is nothing to ${what}; try again when it is imported`);
};

/** Resolves the target of a merge. */
export const targetFor = async (needs: PlacesNeeds, parentId: string): Promise<Context> => {
  const sidebar = sidebarOf(needs.engine.board(), parentId);
  if (sidebar !== null) return { kind: 'sidebar', sidebarId: sidebar.id };
  if (/^SB-\d+$/iu.test(parentId)) throw refusedFor('not-on-board', { asked: parentId.toUpperCase() });
  return { kind: 'session', ...(await contextFor(needs, parentId, 'merge into')) };
};

/** MEM-4: searches backwards from the end, or from a log position, so the length of the conversation doesn't matter. */
export const newestMessageOf = async (
  { store: { log } }: { readonly store: Pick<Store, 'log'> },
  sessionId: string,
  until = Number.MAX_SAFE_INTEGER,
): Promise<string | null> => {
  for (let before = until, steps = 0; steps < MOST_STEPS; steps += 1) {
    const entries = await log.entriesBefore(sessionId, before, STEP);
    const newest = entries.find(
      ({ type, contextId, refs }) => type === ENTRY_TYPES.line && contextId === sessionId && refs.some((ref) => ref.startsWith('MSG-')),
    );
    if (newest !== undefined) return newest.uuid;
    const last = entries.at(-1);
    if (last === undefined) return null;
    before = last.position;
  }
  return null;
};

const STEP = 64;
const MOST_STEPS = 64;
