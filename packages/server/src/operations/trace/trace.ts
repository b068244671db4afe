import { startWalk, startWays, type Tie, type Walked } from '@yarnboard/domain';
import { foreign, type InputOf } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import type { Engine } from '../../engine/engine.ts';
import { timeOf } from '../../sessions/session-view.ts';
import { breathe } from '../request/breathing.ts';
import { instantOf, readCursor, writeCursor } from '../request/cursor.ts';
import { refusedFor } from '../request/refusal.ts';
import { createBoardStrings, type BoardStrings } from './board-strings.ts';
import { cardsOf } from './cards.ts';
import { stringsOf, type Sources, type Wish } from './neighbours.ts';
import { rootFor, type RootNeeds } from './roots.ts';

export type TraceNeeds = RootNeeds & {
  readonly store: Store;
  readonly engine: Pick<Engine, 'board' | 'position' | 'forgotten'>;
};

type Input = InputOf<'trace'>;

/** What traces. It keeps the strings of what was decided from the first question on. */
export const createTracer = (needs: TraceNeeds): ((input: Input, signal: AbortSignal) => Promise<object>) => {
  const strings = createBoardStrings(needs);
  return (input, signal) => trace(needs, strings, input, signal);
};

const trace = async (needs: TraceNeeds, strings: BoardStrings, input: Input, signal: AbortSignal): Promise<object> => {
  const { since, until } = input;
  const [from, to] = [since === undefined ? -Infinity : instantOf(since), until === undefined ? Infinity : instantOf(until, true)];
  if (from > to) throw refusedFor('dates-reversed', { from: since ?? '', to: until ?? '' });
  const index = await strings.current();
  const board = needs.engine.board();
  const sources: Sources = { board, index, store: needs.store };
  const wish: Wish = { kinds: input.kinds === undefined ? null : new Set(input.kinds), since: from, until: to, most: MOST_STRINGS };
  const root = await rootFor(needs, board, index, input.ref);
  if (input.to !== undefined) {
    const target = await rootFor(needs, board, index, input.to);
    return waysBetween(sources, [root, target], wish, signal);
  }
  const before = readCursor<{ entry: number; told: number }>(
    input.cursor,
    ({ entry, told }) => Number.isSafeInteger(entry) && Number.isSafeInteger(told),
  );
  const walk = startWalk({ root, direction: input.direction, depth: input.depth, limit: input.limit, fan: FAN });
  let next: string | null = null;
  for (let wanted = walk.wanted(); wanted.length > 0; wanted = walk.wanted()) {
    await breathe(signal);
    const known = new Map(await stringsOf(sources, wanted, wish));
    const own = known.get(root);
    if (own !== undefined) {
      const page = pageOfRoot(own.ties, before, input.limit - 1);
      known.set(root, { ...own, ties: page.ties });
      next = page.next;
    }
    walk.take(known);
  }
  return answerOf(sources, root, walk.end(), { next, ways: null });
};

/** The strings of the root behind a place: those of one entry are told together. */
const pageOfRoot = (
  ties: readonly Tie[],
  before: { readonly entry: number; readonly told: number } | null,
  most: number,
): { readonly ties: readonly Tie[]; readonly next: string | null } => {
  const start = before === null ? 0 : ties.findIndex(({ entry }) => entry <= before.entry) + before.told;
  const rest = before !== null && start < before.told ? [] : ties.slice(start);
  const page = rest.slice(0, Math.max(1, most));
  const last = page.at(-1);
  if (last === undefined || page.length === rest.length) return { ties: page, next: null };
  const told = ties.slice(0, start + page.length).filter(({ entry }) => entry === last.entry).length;
  return { ties: page, next: writeCursor({ entry: last.entry, told }) };
};

const waysBetween = async (sources: Sources, [from, to]: readonly [string, string], wish: Wish, signal: AbortSignal): Promise<object> => {
  const search = startWays(from, to, { depth: MOST_STEPS, most: MOST_WAYS, budget: MOST_VISITED });
  for (let wanted = search.wanted(); wanted.length > 0; wanted = search.wanted()) {
    await breathe(signal);
    search.take(await stringsOf(sources, wanted, { ...wish, most: FAN_OF_WAYS }));
  }
  const ways = search.end();
  const nodes = [...new Set([from, to, ...ways.flatMap((way) => way.nodes)])];
  const known = await stringsOf(sources, nodes, wish);
  const walk = startWalk({ root: from, direction: 'both', depth: 0, limit: 1, fan: 0 });
  walk.take(known);
  const degrees = new Map([...known].map(([node, own]) => [node, own.degrees]));
  const walked: Walked = { ...walk.end(), nodes, degrees, ties: [...new Set(ways.flatMap((way) => way.ties))], cut: new Map() };
  return answerOf(sources, from, walked, { next: null, ways: ways.map((way) => way.nodes) });
};

type Rest = { readonly next: string | null; readonly ways: readonly (readonly string[])[] | null };

const answerOf = async (sources: Sources, root: string, { nodes, degrees, ties, cut }: Walked, { next, ways }: Rest): Promise<object> => {
  const cards = await cardsOf(sources, nodes);
  return {
    root,
    nodes: cards.map((card) => ({ ...card, in: foreign(degrees.get(card.ref)?.in ?? {}), out: foreign(degrees.get(card.ref)?.out ?? {}) })),
    edges: ties.map(({ from, to, kind, at, by, entry, how, note }) => ({ from, to, kind, at: at === 0 ? null : timeOf(at), by, entry, how, note })),
    cut: [...cut].map(([ref, more]) => ({ ref, more: foreign(more) })),
    ways,
    unknownCalls: cards.filter(({ kind, title }) => kind === 'call' && SHELLS.has(title ?? '')).length,
    nextCursor: next,
  };
};

/** Calls that may touch any file. */
const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'BashOutput', 'KillShell']);
const MOST_STRINGS = 2000;
const FAN = 20;
const FAN_OF_WAYS = 200;
const MOST_STEPS = 12;
const MOST_WAYS = 10;
const MOST_VISITED = 20_000;
