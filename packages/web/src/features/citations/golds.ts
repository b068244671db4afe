import { contextIdOfSidebar, goldOf, nameOfContext, rowsOf, sidebarOf, type Board, type Gold } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { useEffect } from 'react';
import { useAsk, useBoard, useBoardReach, useLive } from '../../live/hooks.tsx';

/** A waypoint and where it was found: SB-n, a session, or the board. */
export type GoldRow = { readonly gold: Gold; readonly foundIn: string };

export const GOLD_FILTERS = ['all', 'pending', 'provisional', 'confirmed', 'rejected', 'superseded'] as const;
export type GoldFilter = (typeof GOLD_FILTERS)[number];

/** PAGE-112: filters waypoints by status and by words that must all occur. */
export const fitsGold = ({ gold }: GoldRow, filter: GoldFilter, text: string): boolean => {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const said = [gold.ref, gold.keyInsight, gold.reusePattern, ...gold.triggerConditions, ...gold.sourceRefs, gold.createdBy].join('\n').toLowerCase();
  return STANDS[filter](gold) && words.every((word) => said.includes(word));
};

const STANDS: Readonly<Record<GoldFilter, (gold: Gold) => boolean>> = {
  all: () => true,
  pending: ({ status, superseded }) => status === 'pending' && superseded === null,
  provisional: ({ isProvisional, status }) => isProvisional && status !== 'rejected',
  confirmed: ({ status, superseded }) => status === 'confirmed' && superseded === null,
  rejected: ({ status }) => status === 'rejected',
  superseded: ({ superseded }) => superseded !== null,
};

/** All waypoints, latest first. Those in the replica are live; older ones are fetched. */
export const useGolds = (): { readonly rows: readonly GoldRow[]; readonly isLoading: boolean; readonly error: unknown; readonly isCut: boolean } => {
  const reach = useBoardReach();
  const isPart = reach.kind !== 'loaded' || reach.olderCursor !== null;
  const older = useAsk('golds', { limit: MOST_ASKED }, { isWanted: isPart, staleMs: 30_000 });
  const rows = useBoard((board) => latestFirst(board, isPart ? (older.data?.items ?? []) : []), [isPart, older.data]);
  return {
    rows,
    isLoading: rows.length === 0 && (reach.kind === 'loading' || (isPart && older.isLoading)),
    error: reach.kind === 'failed' ? reach.error : older.error,
    isCut: isPart && older.data?.nextCursor !== null && older.data !== undefined,
  };
};

const latestFirst = (board: Board, told: readonly InsideOutput<'gold'>[]): readonly GoldRow[] => {
  const here = rowsOf(board.golds).map((gold) => ({ gold, foundIn: nameOfContext(board, gold.createdIn) }));
  const elsewhere = told.filter(({ uuid }) => board.golds.get(uuid) === undefined).map((one) => toldRow(board, one));
  return [...here, ...elsewhere].toSorted((a, b) => b.gold.createdAt - a.gold.createdAt || b.gold.position - a.gold.position);
};

export const toldRow = (board: Board, told: InsideOutput<'gold'>): GoldRow => {
  const known = goldOf(board, told.goldId);
  const { goldId, uuid, createdIn, createdAt, validatedAt, provisional, shown, ...same } = told;
  const gold: Gold = known ?? {
    ...same,
    id: uuid,
    ref: goldId,
    createdIn: contextIdOfSidebar(sidebarOf(board, createdIn)?.id ?? createdIn),
    createdAt: Date.parse(createdAt),
    validatedAt: validatedAt === null ? null : Date.parse(validatedAt),
    isProvisional: provisional,
    shown: shown.map(({ where, at, ...one }) => ({ ...one, contextId: contextIn(board, where), at: Date.parse(at) })),
    position: 0,
  };
  return { gold, foundIn: createdIn };
};

/** A session goes by its id. */
const contextIn = (board: Board, name: string): string => (name.startsWith('SB-') ? contextIdOfSidebar(sidebarOf(board, name)?.id ?? name) : name);

/** Loads the sidebar of a visible waypoint, so that changes to it show up and you can review it. */
export const useGoldHome = ({ gold, foundIn: home }: GoldRow): void => {
  const live = useLive();
  const isHere = useBoard((board) => board.golds.get(gold.id) !== undefined, [gold.id]);
  useEffect(() => {
    // If loading fails, the waypoint stays as fetched and can't be reviewed: the server is unreachable then anyway.
    if (!isHere && /^SB-\d+$/u.test(home)) live.loadSidebar(home).catch(() => false);
  }, [live, isHere, home]);
};

const MOST_ASKED = 500;
