import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { looseCards, type YarnBoard } from './yarn-board.ts';
import type { Pinner, StartPinner } from './yarn-desk.ts';
import type { Spot } from './yarn-layout.ts';

/** A board with the positions of its cards. They change together, so that nothing jumps. */
export type PinnedBoard = { readonly board: YarnBoard; readonly spots: ReadonlyMap<string, Spot> };

export type Pins = {
  readonly pinned: PinnedBoard | null;
  readonly failure: string | null;
  readonly move: (id: string, spot: Spot) => void;
  /** Undoes all moves; null if nothing was moved. */
  readonly putBack: (() => void) | null;
};

/** PAGE-231, PAGE-235: where the cards hang: where the worker pins them, or where the user moved them. */
export const usePins = (board: YarnBoard | null, start: StartPinner): Pins => {
  const root = board?.root ?? null;
  const [pinned, setPinned] = useState<PinnedBoard | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [moves, setMoves] = useState<{ readonly root: string | null; readonly spots: ReadonlyMap<string, Spot> }>({ root: null, spots: NOTHING });
  const moved = useMemo(() => (moves.root === root ? moves.spots : readMoves(root)), [moves, root]);
  const pinner = useRef<Pinner | null>(null);
  const orders = useRef<{ readonly number: number; readonly board: YarnBoard | null }>({ number: 0, board: null });

  useEffect(() => {
    const mine = start((answer) => {
      if (answer.kind === 'failed') setFailure(answer.why);
      else if (answer.number === orders.current.number && orders.current.board !== null) {
        const { board: drawn } = orders.current;
        startTransition(() => setPinned({ board: drawn, spots: answer.spots }));
      }
    });
    pinner.current = mine;
    return () => {
      pinner.current = null;
      mine.close();
    };
  }, [start]);

  useEffect(() => {
    if (board === null) return;
    orders.current = { number: orders.current.number + 1, board };
    pinner.current?.order({ number: orders.current.number, cards: looseCards(board), moved });
  }, [board, moved]);

  const keep = useCallback(
    (spots: ReadonlyMap<string, Spot>) => {
      writeMoves(root, spots);
      setMoves({ root, spots });
    },
    [root],
  );
  const move = useCallback((id: string, { x, y }: Spot) => keep(new Map([...moved, [id, { x: Math.round(x), y: Math.round(y) }]])), [keep, moved]);
  // A moved card shows up where it was put at once; the worker only keeps other cards from being pinned under it.
  const shown = useMemo(() => {
    if (pinned === null || moved.size === 0) return pinned;
    return { board: pinned.board, spots: new Map([...pinned.spots].map(([id, spot]) => [id, moved.get(id) ?? spot])) };
  }, [pinned, moved]);
  return { pinned: shown, failure, move, putBack: moved.size === 0 ? null : () => keep(NOTHING) };
};

const NOTHING: ReadonlyMap<string, Spot> = new Map();

/** The moves on the latest boards: [root, [[card, x, y] …]] each, the latest last. */
type Kept = readonly (readonly [string, readonly (readonly [string, number, number])[]])[];

const readMoves = (root: string | null): ReadonlyMap<string, Spot> => {
  const own = root === null ? undefined : readAll().find(([of]) => of === root);
  return own === undefined ? NOTHING : new Map(own[1].map(([id, x, y]) => [id, { x, y }]));
};

const writeMoves = (root: string | null, spots: ReadonlyMap<string, Spot>): void => {
  if (root === null) return;
  const others = readAll().filter(([of]) => of !== root);
  const mine = [...spots].map(([id, { x, y }]) => [id, x, y] as const);
  localStorage.setItem(KEY, JSON.stringify([...others, ...(mine.length === 0 ? [] : [[root, mine]])].slice(-MOST_BOARDS)));
};

const readAll = (): Kept => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isBoard) : [];
  } catch {
    return []; // not written by us: treat it as no moves
  }
};

const isBoard = (one: unknown): one is Kept[number] =>
  Array.isArray(one) && typeof one[0] === 'string' && Array.isArray(one[1]) && one[1].every((card) => Array.isArray(card) && isMove(card));

const isMove = ([id, x, y]: readonly unknown[]): boolean => typeof id === 'string' && Number.isFinite(x) && Number.isFinite(y);

const KEY = 'yarnboard.yarn';
const MOST_BOARDS = 30;
