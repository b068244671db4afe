import { setImmediate } from 'node:timers/promises';
import { INLINE, type MessageRow, type Store } from '@yarnboard/store';
import {
  activePath,
  createShape,
  cutSession,
  extendShape,
  isConversation,
  pathTo,
  type Path,
  type Session,
  type Thread,
} from '@yarnboard/transcript';
import { keepLatest } from './latest.ts';
import { positionOf } from './log-records.ts';
import type { SessionLoader } from './session-loader.ts';

/** The messages of a session that lead to one of them, as far as the log had them at a position. */
export type BranchPlace = { readonly sessionId: string; readonly leafUuid: string | null; readonly upTo: number };

/** The positions of a branch's messages, oldest first, and the exchange of each. */
export type Branch = { readonly positions: readonly number[]; readonly exchanges: readonly (string | null)[] };

/** Branches by their place. Since nothing after `upTo` counts, a branch never changes once it was walked. */
export type Branches = (place: BranchPlace) => Promise<Branch>;

type Records = Pick<Store, 'log' | 'library'>;

export const createBranches = (store: Records, sessions: Pick<SessionLoader, 'load'>): Branches => {
  const numbers = createNumbers(store);
  const kept = new Map<string, Promise<Branch>>();
  return ({ sessionId, leafUuid, upTo }) => {
    const key = JSON.stringify([sessionId, leafUuid, upTo]);
    const branch = kept.get(key) ?? walk(store, sessions, numbers, { sessionId, leafUuid, upTo });
    keepLatest(kept, key, branch, MOST_KEPT);
    branch.catch(() => kept.delete(key));
    return branch;
  };
};

/** A message on the way, with the data that determines its exchange. */
type Step = Pick<MessageRow, 'position' | 'type' | 'exchange' | 'copyOf'>;

const walk = async (store: Records, sessions: Pick<SessionLoader, 'load'>, numbers: Numbers, place: BranchPlace): Promise<Branch> => {
  const { session } = await sessions.load(place.sessionId);
  const there = cutSession(session, place.upTo);
  const leaf = place.leafUuid === null ? undefined : there.graph.nodes.get(place.leafUuid);
  // If the session continued after the message that someone branched off from, what followed is not part of the branch's past.
  const isTip = leaf === undefined || !leaf.thread.nodes.some(({ position, entry }) => position > leaf.position && isConversation(entry.role));
  const upTo = isTip ? place.upTo : positionOf(leaf);
  const { nodes, leaf: last } = pathIn(isTip ? there : cutSession(session, upTo), leaf?.uuid ?? null);
  const known = await numbers(place.sessionId, leaf?.thread ?? session.main, upTo);
  const messages = nodes.flatMap((node): readonly Step[] => {
    const { type, role } = node.entry;
    // Records beside the last message, after it, are not on the way to it.
    const isOnWay = isConversation(role) || last === null || node.position < last.position;
    const position = positionOf(node);
    return isOnWay && MESSAGE_TYPES.has(type) ? [{ position, type, exchange: null, copyOf: null, ...known.get(position) }] : [];
  });
  const isMain = leaf === undefined || leaf.thread.kind === 'main';
  const merged = isMain ? await mergedInto(store, place.sessionId, messages[0]?.position ?? 0, upTo) : [];
  return numbered(
    store,
    [...messages, ...merged].sort((a, b) => a.position - b.position),
  );
};

const pathIn = (session: Session, leafUuid: string | null): Path => {
  const leaf = leafUuid === null ? undefined : session.graph.nodes.get(leafUuid);
  const shape = createShape();
  extendShape(shape, session, leaf?.thread);
  return leaf === undefined ? activePath(session, shape) : pathTo(session, shape, leaf);
};

/** The library's data on the messages of a thread that begin an exchange, or are copies of others, by position. */
type Numbers = (sessionId: string, thread: Thread, upTo: number) => Promise<ReadonlyMap<number, Pick<Step, 'exchange' | 'copyOf'>>>;

/** Numbers are assigned once, so those read of a thread stay, and only new ones are read later. */
const createNumbers = ({ library }: Pick<Store, 'library'>): Numbers => {
  const kept = new Map<string, { readonly found: Map<number, Pick<Step, 'exchange' | 'copyOf'>>; readTo: number }>();
  return async (sessionId, { kind, agentId }, upTo) => {
    const thread = kind === 'main' ? ({ kind: 'main' } as const) : ({ kind: 'agent', agentId: agentId ?? INLINE } as const);
    const key = JSON.stringify([sessionId, thread]);
    const one = kept.get(key) ?? { found: new Map(), readTo: 0 };
    while (one.readTo < upTo) {
      const rows = await library.messages({ sessionId, thread, from: one.readTo + 1, limit: PAGE });
      for (const { position, role, exchange, copyOf } of rows) {
        if (exchange !== null || (role === 'prompt' && copyOf !== null)) one.found.set(position, { exchange, copyOf });
      }
      const last = rows.at(-1)?.position;
      // The log had nothing else of this thread up to there; new entries may follow directly.
      one.readTo = rows.length < PAGE ? Math.max(last ?? 0, upTo) : (last ?? upTo);
      await setImmediate(); // serves others in between
    }
    keepLatest(kept, key, one, MOST_KEPT);
    return one.found;
  };
};

/** What sidebars merged into the session. */
const mergedInto = async ({ log }: Records, sessionId: string, after: number, upTo: number): Promise<readonly Step[]> => {
  const positions = (await log.positionsOfType('memory.merged', after)).filter((position) => position <= upTo);
  const found: Step[] = [];
  for (let from = 0; from < positions.length; from += PAGE) {
    for (const { position, contextId, type, refs } of await log.entriesAt(positions.slice(from, from + PAGE))) {
      const exchange = Number(refs.find((ref) => ref.startsWith('EXCH-'))?.slice('EXCH-'.length) ?? 0);
      if (contextId === sessionId) found.push({ position, type, exchange, copyOf: null });
    }
  }
  return found;
};

const numbered = async ({ library }: Pick<Store, 'library'>, steps: readonly Step[]): Promise<Branch> => {
  const exchanges: (string | null)[] = [];
  let current: string | null = null;
  for (const { type, exchange, copyOf } of steps) {
    // A copy has its original's name.
    const number: number | null = copyOf === null ? exchange : ((await library.messageAt(copyOf))?.exchange ?? null);
    const own: string | null = number === null ? null : `EXCH-${number}`;
    exchanges.push(own ?? current);
    // A merge is an exchange of its own: the conversation around it continues.
    if (own !== null && type !== 'memory.merged') current = own;
  }
  return { positions: steps.map(({ position }) => position), exchanges };
};

// Records of these types are messages: a copy has no number to show it.
const MESSAGE_TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'human', 'tool_result', 'compact_prelude', 'compact_recap']);
const PAGE = 1000;
const MOST_KEPT = 32;
