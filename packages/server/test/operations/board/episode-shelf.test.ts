import { emptyBoard, evolve, rowsOf, standingOfEpisode, type Board, type Episode, type Payloads, type Recorded } from '@yarnboard/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEpisodeShelf, wordsIn, type EpisodeWish } from '../../../src/operations/board/episode-shelf.ts';

type Archived = Payloads['episodic.archived'];

const ADA = { id: 'AGENT-ada', type: 'agent' } as const;

const archive = (board: Board, n: number, { at = n, ...payload }: Partial<Archived> & { readonly at?: number } = {}): void =>
  evolve(board, {
    type: 'episodic.archived',
    uuid: `e${n}`,
    contextId: 'board',
    by: ADA,
    position: n,
    at,
    refs: [],
    payload: {
      content: 'warp and weft',
      trigger: 'manual',
      finding: null,
      gold: null,
      sourceSidebar: null,
      sourceCheckpoint: null,
      isProvisional: true,
      supersedes: null,
      tags: [],
      about: null,
      sources: [],
      pointers: null,
      priority: 'normal',
      requiresValidation: false,
      mark: null,
      note: null,
      ...payload,
    },
  } satisfies Recorded<'episodic.archived'>);

const finalise = (board: Board, position: number, episode: string): void =>
  evolve(board, {
    type: 'episodic.finalised',
    uuid: `f${position}`,
    contextId: 'board',
    by: ADA,
    position,
    at: position,
    refs: [],
    payload: { episode },
  } satisfies Recorded<'episodic.finalised'>);

const supersede = (board: Board, position: number, episode: string): void =>
  evolve(board, {
    type: 'episodic.superseded',
    uuid: `s${position}`,
    contextId: 'board',
    by: ADA,
    position,
    at: position,
    refs: [],
    payload: { episode, by: null, why: 'it was revised' },
  } satisfies Recorded<'episodic.superseded'>);

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

/** What a look at every episode finds, newest first. */
const looked = (board: Board, wish: EpisodeWish): readonly Episode[] =>
  rowsOf(board.episodes)
    .filter(
      (one) =>
        (wish.sidebar === null || one.sourceSidebar === wish.sidebar) &&
        (wish.checkpoint === null || one.sourceCheckpoint === wish.checkpoint) &&
        (wish.trigger === undefined || one.trigger === wish.trigger) &&
        (wish.tag === undefined || one.tags.includes(wish.tag)) &&
        (wish.isProvisional === undefined || one.isProvisional === wish.isProvisional) &&
        (wish.standing === undefined || standingOfEpisode(one) === wish.standing) &&
        (wish.since === null || one.at >= wish.since) &&
        (wish.until === null || one.at <= wish.until) &&
        wish.words.every((word) => wordsIn(`${one.content}\n${one.note ?? ''}`).some((own) => own.includes(word))),
    )
    .toReversed();

const anyText = fc.array(fc.constantFrom('warp', 'weft', 'Loom', 'überweft', 'we'), { maxLength: 3 }).map((words) => words.join(', '));
const anyTrigger = fc.constantFrom('manual', 'checkpoint', 'timeout');

const anyStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('archive' as const),
      what: fc.record({
        content: anyText,
        note: fc.option(anyText),
        trigger: anyTrigger,
        sourceSidebar: fc.constantFrom('a', 'b', null),
        sourceCheckpoint: fc.constantFrom('c', null),
        isProvisional: fc.boolean(),
        tags: fc.uniqueArray(fc.constantFrom('t', 'u')),
        supersedes: fc.constantFrom(null, 'e1', 'e2', 'e3'),
        // A clock may have been put back: times don't follow the order of the log.
        at: fc.nat(20),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('finalise' as const, 'supersede' as const), of: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ask' as const) }) },
);

const anyWish: fc.Arbitrary<EpisodeWish> = fc.record({
  sidebar: fc.constantFrom('a', null, null),
  checkpoint: fc.constantFrom('c', null, null),
  trigger: fc.option(anyTrigger, { nil: undefined }),
  tag: fc.constantFrom('t', undefined, undefined),
  isProvisional: fc.option(fc.boolean(), { nil: undefined }),
  standing: fc.option(fc.constantFrom('provisional' as const, 'final' as const, 'superseded' as const), { nil: undefined }),
  since: fc.option(fc.nat(20)),
  until: fc.option(fc.nat(20)),
  words: fc.array(fc.constantFrom('w', 'we', 'eft', 'loom', 'ü', 'nothing'), { maxLength: 2 }),
});

describe('the shelf of episodes', () => {
  test('[EPI-11] it finds what a look at every episode finds, page by page, whenever their standing changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 30 }),
        fc.array(anyWish, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, wishes, most) => {
          const board = emptyBoard();
          const shelf = createEpisodeShelf();
          for (const [n, step] of steps.entries()) {
            if (step.kind === 'archive') archive(board, n + 1, step.what);
            else if (step.kind === 'finalise') finalise(board, n + 1, `e${step.of}`);
            else if (step.kind === 'supersede') supersede(board, n + 1, `e${step.of}`);
            else await shelf.ready(board, wishes[0] ?? ANY);
          }
          for (const wish of wishes) {
            const found: Episode[] = [];
            for (let page = shelf.newest(board, wish, null, most); page.length > 0;) {
              found.push(...page);
              page = shelf.newest(board, wish, page.at(-1)?.position ?? 0, most);
            }
            expect(found).toEqual(looked(board, wish));
          }
        },
      ),
    );
  });

  test('[EPI-11] a question looks up only what was written since the one before, however many episodes there are', () => {
    const board = emptyBoard();
    for (let n = 1; n <= 3000; n += 1) archive(board, n);
    let [gets, walks] = [0, 0];
    const { get, entries } = board.episodes;
    const episodes = {
      ...board.episodes,
      get: (key: string) => {
        gets += 1;
        return get(key);
      },
      entries: () => {
        walks += 1;
        return entries();
      },
    };
    const counted: Board = { ...board, episodes };
    const shelf = createEpisodeShelf();
    const wish: EpisodeWish = { ...ANY, words: ['weft'], standing: 'provisional' };
    expect(shelf.newest(counted, wish, null, 2).map(({ id }) => id)).toEqual(['e3000', 'e2999']);
    expect([gets, walks]).toEqual([3000, 0]);
    expect(shelf.newest(counted, { ...wish, standing: 'final' }, null, 2)).toEqual([]);
    expect([gets, walks]).toEqual([3000, 0]);
    finalise(board, 3001, 'e17');
    archive(board, 3002);
    expect(shelf.newest(counted, { ...wish, standing: 'final' }, null, 2).map(({ id }) => id)).toEqual(['e17']);
    expect([gets, walks]).toEqual([3002, 0]);
  });

  test('[EPI-11] the first question on a large board makes room for others', async () => {
    const board = emptyBoard();
    for (let n = 1; n <= 5000; n += 1) archive(board, n, { content: `thread ${n}` });
    const shelf = createEpisodeShelf();
    const wish: EpisodeWish = { ...ANY, words: ['17'] };
    let isReady = false;
    const readying = shelf.ready(board, wish).then(() => {
      isReady = true;
    });
    let pauses = 0;
    while (!isReady) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      pauses += 1;
    }
    await readying;
    expect(pauses).toBeGreaterThanOrEqual(25);
    expect(shelf.newest(board, wish, null, Infinity)).toEqual(looked(board, wish));
  });
});
