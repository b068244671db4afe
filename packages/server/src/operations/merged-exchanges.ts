import { branchedAt, type Board, type Entry, type Sidebar } from '@yarnboard/domain';
import type { Inside, InputOf, OutputOf } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import type { MergedBehind } from '@yarnboard/transcript';
import type { Engine } from '../engine/engine.ts';
import { timeOf } from '../sessions/session-view.ts';
import { newestMessageOf } from './board/places.ts';
import type { Answer } from './request/answer.ts';
import { pageOf } from './request/cursor.ts';
import { findSession, sessionIdOf, type SessionNames } from './request/find-session.ts';

export type MergedNeeds = { readonly store: Pick<Store, 'log' | 'library'>; readonly engine: Pick<Engine, 'board'> };

/** Where a merged exchange appears in its target session. */
export type PlacedMerge = {
  readonly position: number;
  readonly sidebar: string;
  /** The record it follows; null if nothing was said before it. */
  readonly after: string | null;
};

export type MergedView = Omit<Inside<OutputOf<'merges'>>['items'][number], 'afterUuid'>;

export const listMerges = async (needs: MergedNeeds & SessionNames, { id, limit, cursor }: InputOf<'merges'>): Answer<'merges'> => {
  const { items, nextCursor } = pageOf(await mergesInto(needs, sessionIdOf(await findSession(needs, id))), limit, cursor);
  const views = await mergedViews(needs, items);
  return { items: views.map((view, i) => ({ afterUuid: items[i]?.after ?? null, ...view })), nextCursor };
};

/**
 * API-40: everything merged into a session, in log order, each with its place (API-37). For sessions without merges this costs one look at the board.
 */
export const mergesInto = async (needs: MergedNeeds, sessionId: string): Promise<readonly PlacedMerge[]> => {
  const board = needs.engine.board();
  const merged: { readonly sidebar: Sidebar; readonly position: number }[] = [];
  for (const [, sidebar] of board.sidebars.entries()) {
    if (sidebar.mergedAs !== null && isInto(sidebar, sessionId)) merged.push({ sidebar, position: sidebar.mergedAs.position });
  }
  merged.sort((a, b) => a.position - b.position);
  return Promise.all(
    merged.map(async ({ sidebar, position }) => ({
      position,
      sidebar: sidebar.ref,
      after: await placeOfMerge(needs, board, sidebar, sessionId, position),
    })),
  );
};

/** API-37: the record where its sidebar branched off, or else the last before the merge. */
export const placeOfMerge = async (
  needs: MergedNeeds,
  board: Board,
  sidebar: Sidebar | undefined,
  sessionId: string,
  position: number,
): Promise<string | null> => {
  const branched = sidebar === undefined ? null : branchedAt(board, sidebar, sessionId);
  const isThere = branched !== null && (await needs.store.library.messageByUuid(branched, sessionId)) !== null;
  return isThere ? branched : newestMessageOf(needs, sessionId, position);
};

/** The content of these merges, in the same order. */
export const mergedViews = async ({ store: { log } }: MergedNeeds, places: readonly PlacedMerge[]): Promise<readonly MergedView[]> => {
  if (places.length === 0) return [];
  const positions = places.map(({ position }) => position);
  const [entries, payloads] = await Promise.all([log.entriesAt(positions), log.payloadsOf(positions)]);
  const byPosition = new Map<number, Entry>(entries.map((entry) => [entry.position, entry]));
  return places.flatMap(({ position, sidebar }) => {
    const entry = byPosition.get(position);
    return entry === undefined ? [] : [mergedView(entry, sidebar, payloads.get(position) ?? null)];
  });
};

/** All merges of a session, in the form the export uses. */
export const mergedIn = async (needs: MergedNeeds, sessionId: string): Promise<MergedBehind> => {
  const places = await mergesInto(needs, sessionId);
  const views = await mergedViews(needs, places);
  return byRecord(views.map((view, i) => [places[i]?.after ?? '', { ...view, sidebar: view.sidebarId, text: view.content }]));
};

/** The merges that follow the given records, by record. Reads only these. */
export const mergedBehind = async (
  needs: MergedNeeds,
  sessionId: string,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, readonly MergedView[]>> => {
  const all = await mergesInto(needs, sessionId);
  if (all.length === 0) return NONE_BEHIND;
  const wanted = new Set(uuids);
  const here = all.filter(({ after }) => after !== null && wanted.has(after));
  const views = await mergedViews(needs, here);
  return byRecord(views.map((view, i) => [here[i]?.after ?? '', view]));
};

const byRecord = <T>(placed: readonly (readonly [after: string, T])[]): ReadonlyMap<string, readonly T[]> => {
  const behind = new Map<string, T[]>();
  for (const [after, one] of placed) {
    const known = behind.get(after);
    if (known === undefined) behind.set(after, [one]);
    else known.push(one);
  }
  return behind;
};

/** The `merged` field of a record; omitted if it has no merges. */
export const mergedField = (views: readonly MergedView[] | undefined): { readonly merged?: readonly MergedView[] } =>
  views === undefined || views.length === 0 ? NOTHING : { merged: views };

const isInto = ({ mergedInto }: Sidebar, sessionId: string): boolean => mergedInto?.kind === 'session' && mergedInto.sessionId === sessionId;

const mergedView = (entry: Entry, sidebar: string, bytes: Uint8Array | null): MergedView => {
  // our own entry
  const told =
    bytes === null
      ? null
      : (JSON.parse(Buffer.from(bytes).toString('utf8')) as {
          readonly text?: string;
          readonly citations?: readonly string[];
          readonly package?: { readonly keyFindings?: readonly string[] };
        });
  return {
    uuid: entry.uuid,
    ref: entry.refs.find((ref) => ref.startsWith('MSG-')) ?? null,
    exchange: entry.refs.find((ref) => ref.startsWith('EXCH-')) ?? null,
    sidebarId: sidebar,
    content: told === null ? '[forgotten]' : (told.text ?? ''),
    findings: told?.package?.keyFindings ?? [],
    citations: told?.citations ?? [],
    sender: entry.sender,
    timestamp: timeOf(entry.timestamp),
    isForgotten: told === null,
    position: entry.position,
  };
};

const NONE_BEHIND: ReadonlyMap<string, readonly MergedView[]> = new Map();
const NOTHING = {};
