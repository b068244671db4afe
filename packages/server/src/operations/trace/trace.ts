import { formatRef, keyOfTie, nodeOf, parseRef, startWalk, startWays, type Ref, type Tie, type Walked } from '@yarnboard/domain';
import { foreign, type InputOf } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import type { Engine } from '../../engine/engine.ts';
import { timeOf } from '../../sessions/session-view.ts';
import { breathe } from '../request/breathing.ts';
import { instantOf, readCursor, writeCursor } from '../request/cursor.ts';
import { refusedFor } from '../request/refusal.ts';
import { createBoardStrings, type BoardStrings } from './board-strings.ts';
import { cardsOf, type Card, type CardNeeds } from './cards.ts';
import { reachOf } from '../request/reach.ts';
import type { Asking } from '../request/asker.ts';
import { stringsOf, type Reach, type Sources, type Wish } from './neighbours.ts';
import { nameOfEntry } from './names.ts';
import { rootFor, type RootNeeds } from './roots.ts';

export type TraceNeeds = RootNeeds & {
  readonly store: Store;
  readonly engine: Pick<Engine, 'board' | 'position' | 'forgotten' | 'memory'>;
} & Pick<CardNeeds, 'sessions'>;

type Tracing = Sources & CardNeeds;

type Input = InputOf<'trace'>;

/** Creates the tracer. It keeps the strings of decided entries in memory from the first query on. */
export const createTracer = (needs: TraceNeeds): ((input: Input, asking: Pick<Asking, 'asker' | 'signal'>) => Promise<object>) => {
  const strings = createBoardStrings(needs);
  return (input, { asker, signal }) => trace(needs, strings, input, reachOf(needs.engine, asker), signal);
};

const trace = async (needs: TraceNeeds, strings: BoardStrings, input: Input, reach: Reach, signal: AbortSignal): Promise<object> => {
  const { since, until } = input;
  const [start, end] = [since === undefined ? -Infinity : instantOf(since), until === undefined ? Infinity : instantOf(until, true)];
  if (start > end) throw refusedFor('dates-reversed', { from: since ?? '', to: until ?? '' });
  const index = await strings.current(signal);
  const board = needs.engine.board();
  const sources: Tracing = { board, index, store: needs.store, sessions: needs.sessions, reach };
  const wish: Wish = { kinds: input.kinds === undefined ? null : new Set(input.kinds), since: start, until: end, most: MOST_STRINGS };
  const stretch = stretchIn(input.ref);
  if (stretch !== null) return stretchBetween(needs, sources, stretch, wish, { ...input, signal });
  const root = await rootFor(needs, board, index, input.ref);
  if (input.to !== undefined) {
    const target = await rootFor(needs, board, index, input.to);
    return waysBetween(sources, [root, target], wish, signal);
  }
  const from = readCursor<{ before: number }>(input.cursor, ({ before }) => Number.isSafeInteger(before));
  const walk = startWalk({ root, direction: input.direction, depth: input.depth, limit: input.limit, fan: FAN });
  let next: string | null = null;
  for (let wanted = walk.wanted(); wanted.length > 0; wanted = walk.wanted()) {
    const isRoot = wanted.includes(root);
    const known = new Map(await stringsOf(sources, wanted, isRoot && from !== null ? { ...wish, before: from.before } : wish, signal));
    const own = isRoot ? known.get(root) : undefined;
    if (own !== undefined) {
      const page = pageOfRoot(own.ties, input.limit - 1);
      known.set(root, { ...own, ties: page.ties });
      next = page.next;
    }
    walk.take(known);
  }
  return answerOf(sources, root, walk.end(), { next, ways: null, signal });
};

/** TRACE-3: as many of the newest strings as fit. All strings of one entry go on the same page, unless they alone are too many. */
const pageOfRoot = (ties: readonly Tie[], most: number): { readonly ties: readonly Tie[]; readonly next: string | null } => {
  const behind = ties[Math.max(1, most)];
  if (behind === undefined) return { ties, next: null };
  const whole = ties.findIndex(({ entry }) => entry === behind.entry);
  const page = ties.slice(0, whole === 0 ? Math.max(1, most) : whole);
  return { ties: page, next: writeCursor({ before: page.at(-1)?.entry ?? 0 }) };
};

const waysBetween = async (sources: Tracing, [from, to]: readonly [string, string], wish: Wish, signal: AbortSignal): Promise<object> => {
  const search = startWays(from, to, { depth: MOST_STEPS, most: MOST_WAYS, budget: MOST_VISITED });
  for (let wanted = search.wanted(); wanted.length > 0; wanted = search.wanted()) {
    search.take(await stringsOf(sources, wanted, { ...wish, most: FAN_OF_WAYS }, signal));
  }
  const ways = search.end();
  const nodes = [...new Set([from, to, ...ways.flatMap((way) => way.nodes)])];
  const known = await stringsOf(sources, nodes, wish, signal);
  const degrees = new Map([...known].map(([node, own]) => [node, own.degrees]));
  const walked: Walked = { nodes, degrees, ties: [...new Set(ways.flatMap((way) => way.ties))], cut: new Map() };
  return answerOf(sources, from, walked, { next: null, ways: ways.map((way) => way.nodes), signal });
};

type Stretch = { readonly text: string; readonly ends: readonly [NumberedRef, NumberedRef] };
type NumberedRef = Extract<Ref, { kind: 'numbered' }>;

/** `MSG-12..MSG-20`. */
const stretchIn = (text: string): Stretch | null => {
  const [first, last] = text.split('..').map((end) => parseRef(end));
  if (first?.ok !== true || last?.ok !== true || first.value.kind !== 'numbered' || last.value.kind !== 'numbered') return null;
  return { text: `${formatRef(first.value)}..${formatRef(last.value)}`, ends: [first.value, last.value] };
};

/** TRACE-12: what happened between two entries, in log order, across all conversations. */
const stretchBetween = async (
  needs: TraceNeeds,
  sources: Tracing,
  { text, ends }: Stretch,
  wish: Wish,
  { limit, cursor, signal }: Pick<Input, 'limit' | 'cursor'> & { readonly signal: AbortSignal },
): Promise<object> => {
  const { log } = needs.store;
  for (const end of ends) await rootFor(needs, sources.board, sources.index, formatRef(end));
  const places = (await log.positionsOfRefs(ends)).flatMap((place) => place ?? []);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const nodes: string[] = [];
  let after = readCursor<{ after: number }>(cursor, (value) => Number.isSafeInteger(value.after))?.after ?? first - 1;
  while (nodes.length < limit && after < last) {
    await breathe(signal);
    const entries = await log.entriesAfter(after, Math.min(STEP, last - after));
    if (entries.length === 0) break;
    for (const entry of entries) {
      if (nodes.length >= limit) break;
      after = entry.position;
      if (entry.refs.length === 0) continue;
      const node = nodeOf(sources.board, nameOfEntry(entry));
      if (sources.reach === null || (await sources.reach(node))) nodes.push(node);
    }
  }
  const known = await stringsOf(sources, nodes, { ...wish, most: FAN_OF_WAYS }, signal);
  const inside = new Set(nodes);
  const ties = new Map<string, Tie>();
  for (const { ties: own } of known.values()) for (const tie of own) if (inside.has(tie.from) && inside.has(tie.to)) ties.set(keyOfTie(tie), tie);
  const degrees = new Map([...known].map(([node, own]) => [node, own.degrees]));
  const next = after < last ? writeCursor({ after }) : null;
  return answerOf(sources, text, { nodes: [...inside], degrees, ties: [...ties.values()], cut: new Map() }, { next, ways: null, signal });
};

type Rest = { readonly next: string | null; readonly ways: readonly (readonly string[])[] | null; readonly signal: AbortSignal };

const answerOf = async (sources: Tracing, root: string, { nodes, degrees, ties, cut }: Walked, { next, ways, signal }: Rest): Promise<object> => {
  const whole = await cardsOf(sources, nodes, signal);
  const cards = await Promise.all(whole.map((card) => seenBy(sources.reach, card)));
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

/** Hides a card's context unless the caller may see it. */
const seenBy = async (reach: Reach, card: Card): Promise<Card> =>
  reach === null || card.context === null || (await reach(card.context)) ? card : { ...card, context: null };

/** Calls that may touch any file. */
const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'BashOutput', 'KillShell']);
const MOST_STRINGS = 2000;
const STEP = 500;
const FAN = 20;
const FAN_OF_WAYS = 200;
const MOST_STEPS = 12;
const MOST_WAYS = 10;
const MOST_VISITED = 20_000;
