import { emptyBoard, evolve, rowsOf, standingOfEpisode, type Board, type Episode, type Recorded } from '@yarnboard/domain';
import { toWire } from '@yarnboard/protocol';
import { createEpisodeShelf, wordsIn, type EpisodeShelf, type EpisodeWish } from '../../packages/server/src/operations/board/episode-shelf.ts';
import { episodeView } from '../../packages/server/src/operations/board/item-views.ts';
import { latestPageOf, latestPageOfNewest } from '../../packages/server/src/operations/request/cursor.ts';
import { cpuTimeOf } from '../../tests/cpu-time.ts';
import { WrongResult } from '../measure/run.ts';
import { atLeast, below, layOut, type Verdict } from '../measure/table.ts';
import { createRandom, type Random } from '../tree/random.ts';

/** A page of every filter of episodic memory, against a look at every episode. */
export const benchFilters = (sizes: readonly number[], rounds: number, seed: number): readonly Verdict[] => {
  const verdicts: Verdict[] = [];
  const slowests: number[] = [];
  for (const size of sizes) {
    const board = boardOf(size, createRandom(seed));
    const shelf = createEpisodeShelf();
    const first = p95(1, () => void found(board, shelf, { ...ANY, words: ['first'] }));
    const rows = Object.entries(WISHES).map(([name, wish]) => {
      const [ours, theirs] = [found(board, shelf, wish), looked(board, wish)];
      if (ours.map(({ id }) => id).join() !== theirs.map(({ id }) => id).join())
        throw new WrongResult(`${name}: not what a look at every episode finds`);
      const own = p95(rounds, () => told(board, found(board, shelf, wish)));
      const bare = p95(rounds, () => void found(board, shelf, wish));
      const base = p95(3, () => told(board, looked(board, wish)));
      return { name, own, bare, base };
    });
    console.log('');
    console.log(
      layOut([
        [`${size} episodes, ms of processor time`, 'p95', 'without the answer', 'a look at all', 'x'],
        ...rows.map(({ name, own, bare, base }) => [name, own.toFixed(2), bare.toFixed(2), base.toFixed(2), (base / own).toFixed(1)]),
      ]),
    );
    console.log(`put in place once, after the start: ${first.toFixed(0)} ms`);
    const slowest = rows.reduce((most, one) => (one.own > most.own ? one : most));
    verdicts.push(below(slowest.own, 20, `p95 of the slowest filter (${slowest.name}) of ${size} episodes`, 'ms'));
    slowests.push(slowest.own);
    const leastGain = rows.reduce((least, { own, base }) => Math.min(least, base / own), Infinity);
    verdicts.push(atLeast(leastGain, 1, `every filter of ${size} episodes against a look at all of them`));
  }
  const [small, large] = [slowests[0] ?? 0, slowests.at(-1) ?? 0];
  const [fewer, more] = [sizes[0] ?? 1, sizes.at(-1) ?? 1];
  if (sizes.length > 1)
    verdicts.push(below(large / small, more / fewer / 2, `the slowest filter with ${more / fewer} times as many episodes`, 'times'));
  return verdicts;
};

const ANY: EpisodeWish = {
  sidebar: null,
  checkpoint: null,
  trigger: undefined,
  tag: undefined,
  isProvisional: undefined,
  standing: undefined,
  since: null,
  until: null,
  words: [],
};

const WISHES: Readonly<Record<string, EpisodeWish>> = {
  'all of them': ANY,
  'a sidebar': { ...ANY, sidebar: 'sidebar-7' },
  'a checkpoint': { ...ANY, sidebar: 'sidebar-7', checkpoint: 'checkpoint-7' },
  'a reason': { ...ANY, trigger: 'timeout' },
  'a tag': { ...ANY, tag: 'tag-3' },
  provisional: { ...ANY, isProvisional: true },
  superseded: { ...ANY, standing: 'superseded' },
  'a day': { ...ANY, since: 5000, until: 6000 },
  'two words': { ...ANY, words: wordsIn('word17 word3') },
  'a word that no episode has': { ...ANY, words: wordsIn('nowhere') },
  'everything at once': { ...ANY, sidebar: 'sidebar-7', tag: 'tag-3', standing: 'final', since: 0, words: wordsIn('word1') },
};

const TRIGGERS = ['checkpoint', 'gold', 'completion', 'manual', 'timeout'] as const;

const boardOf = (count: number, { next: random }: Random): Board => {
  const board = emptyBoard();
  for (let n = 1; n <= count; n += 1) {
    const sidebar = Math.floor(random() * (count / 100));
    const words = Array.from({ length: 30 }, () => `word${Math.floor(random() ** 3 * 20_000)}`);
    evolve(board, {
      type: 'episodic.archived',
      uuid: `episode-${n}`,
      contextId: 'board',
      by: { id: 'AGENT-ada', type: 'agent' },
      position: n,
      at: n,
      refs: [],
      payload: {
        content: words.join(' '),
        trigger: TRIGGERS[n % TRIGGERS.length] ?? 'manual',
        finding: null,
        gold: null,
        sourceSidebar: `sidebar-${sidebar}`,
        sourceCheckpoint: `checkpoint-${sidebar}`,
        isProvisional: n % 3 === 0,
        supersedes: n % 10 === 1 && n > 10 ? `episode-${n - 10}` : null,
        tags: [`tag-${n % 50}`],
        about: null,
        sources: [],
        pointers: null,
        priority: 'normal',
        requiresValidation: false,
        mark: null,
        note: null,
      },
    } satisfies Recorded<'episodic.archived'>);
  }
  return board;
};

/** The baseline: every episode is looked at, and what fits is put in order. */
const looked = (board: Board, wish: EpisodeWish): readonly Episode[] => {
  const fits = (one: Episode): boolean =>
    (wish.sidebar === null || one.sourceSidebar === wish.sidebar) &&
    (wish.checkpoint === null || one.sourceCheckpoint === wish.checkpoint) &&
    (wish.trigger === undefined || one.trigger === wish.trigger) &&
    (wish.tag === undefined || one.tags.includes(wish.tag)) &&
    (wish.isProvisional === undefined || one.isProvisional === wish.isProvisional) &&
    (wish.standing === undefined || standingOfEpisode(one) === wish.standing) &&
    (wish.since === null || one.at >= wish.since) &&
    (wish.until === null || one.at <= wish.until) &&
    wish.words.every((word) => wordsIn(one.content).some((own) => own.includes(word)));
  return latestPageOf(rowsOf(board.episodes).filter(fits), (one) => one, { limit: 100 }).items;
};

const found = (board: Board, shelf: EpisodeShelf, wish: EpisodeWish): readonly Episode[] =>
  latestPageOfNewest((before, most) => shelf.newest(board, wish, before, most), { limit: 100 }).items;

const told = (board: Board, episodes: readonly Episode[]): void => void toWire({ items: episodes.map((one) => episodeView(board, one)) });

/** In processor time: a question waits for nothing, and what else the machine does is not its cost. */
const p95 = (times: number, work: () => void): number => {
  const taken = Array.from({ length: times }, () => cpuTimeOf(work)).toSorted((a, b) => a - b);
  return taken[Math.floor(taken.length * 0.95)] ?? 0;
};
