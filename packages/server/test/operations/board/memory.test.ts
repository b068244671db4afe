import fc from 'fast-check';
import { emptyBoard, evolve, type Board, type Recorded } from '@yarnboard/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEpisodeShelf, type EpisodeWish } from '../../../src/operations/board/episode-shelf.ts';
import { makeBoard, type TestBoard } from '../boards.ts';

const record = (uuid: string, parentUuid: string | null, more: object) => ({
  uuid,
  parentUuid,
  sessionId: 's1',
  cwd: '/src/app',
  timestamp: `2026-01-0${uuid.slice(-1)}T10:00:00.000Z`,
  version: '2.0.0',
  ...more,
});

const FILES = {
  '-src-app/s1.jsonl': [
    record('u1', null, { type: 'user', message: { role: 'user', content: 'Why does the carillon stop?' } }),
    record('a2', 'u1', {
      type: 'assistant',
      message: { id: 'm1', role: 'assistant', model: 'claude-x', content: [{ type: 'text', text: 'Its zither spring is worn.' }] },
    }),
    record('u3', 'a2', { type: 'user', message: { role: 'user', content: 'And the bells?' } }),
  ],
};

let board: TestBoard;

/** A session that is kept from, a sidebar off it with a finding, and a child. */
beforeAll(async () => {
  board = await makeBoard({ files: FILES });
  await board.command('sidebar_spawn', { parent_id: 's1', task_description: 'look at the carillon', tags: ['music'] });
  await board.command('chat_message', { sidebar_id: 'SB-1', content: 'The gong is silent too', confidence_score: 0.9 });
  await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'The spring is worn', source_refs: ['EXCH-1'] });
  await board.command('scratchpad_entry_validated', { sidebar_id: 'SB-1', entry_id: 'FINDING-1', status: 'confirmed' });
  await board.command('claim_verify', { sidebar_id: 'SB-1', claim_id: 'EXCH-1', verification: 'confirmed', confidence: 0.8 });
  await board.command('scratchpad_checkpoint', { sidebar_id: 'SB-1', summary: 'so far' });
  await board.command('sidebar_child_spawn', { parent_sidebar_id: 'SB-1', sub_task_description: 'the gong' });
});

const refsOf = async (input: object): Promise<readonly string[]> => (await board.get('episodes', { ...input })).items.map((one) => one.entry_id);

describe('the layers of memory', () => {
  test('[MEM-15] a reference is told in every layer it is in, with the mark that a sidebar made of it', async () => {
    const told = await board.get('memory', { ref: 'EXCH-1' });
    expect(told).toMatchObject({ ref: 'EXCH-1', layers: ['log', 'context'], log: { sender: 'human', context_id: 's1' }, working: null });
    expect(told.inherited_by).toMatchObject([
      { sidebar_id: 'SB-2', mark: { verification: 'unverified', elsewhere: [{ sidebar_id: 'SB-1', verification: 'confirmed' }] } },
      { sidebar_id: 'SB-1', status: 'ACTIVE', mark: { verification: 'confirmed' } },
    ]);
    expect(told.scratchpads).toEqual(['SCRATCH-1']);
    const finding = await board.get('memory', { ref: 'frag-1' });
    expect(finding).toMatchObject({ ref: 'SCRATCH-1:FINDING-1', layers: ['log', 'working', 'episodic', 'context'], working: { sidebar_id: 'SB-1' } });
    expect(finding.episodes).toMatchObject([{ archive_reason: 'checkpoint', verification: 'confirmed', source_refs: ['EXCH-1'] }]);
    expect((await board.get('memory', { ref: 'SB-1' })).inherited_by.map((one) => one.sidebar_id)).toEqual(['SB-2']);
    expect(await board.problem('/api/v1/memory?ref=MSG-999')).toMatchObject({ status: 404, code: 'not-found' });
    expect(await board.problem('/api/v1/memory?ref=x')).toMatchObject({ status: 400, code: 'bad-reference' });
    expect((await board.get('memory')).counts).toMatchObject({
      log: { entries: (await board.board.store.log.head()).count },
      working: { sidebars: 2, findings: 1 },
      episodic: { episodes: 1, provisional: 1, final: 0, superseded: 0 },
      context: { inheriting: 2, judged: 1 },
    });
  });

  test('[MEM-16] a confidence is shown beside the one of whoever said it', async () => {
    const said = (await board.get('sidebar_memory', { sidebar_id: 'SB-1', part: 'local' })).items[0]?.ref ?? '';
    const { events } = await board.command('confidence_set', { about: said, confidence: 0.2, reason: 'it rang today' });
    expect(events).toMatchObject([{ type: 'confidence_set', about: said, confidence: 0.2, was: null }]);
    expect(await board.get('memory', { ref: said })).toMatchObject({
      log: { sender_confidence: 0.9 },
      working: { sidebar_id: 'SB-1', confidence: { confidence: 0.2, reason: 'it rang today', times: 1 } },
    });
  });
});

describe('keeping by hand', () => {
  test('[EPI-7] [EPI-10] [EPI-15] what was said in a session is kept with its words, found by search and by trace, and cited', async () => {
    const kept = await board.command('memory_archive', { refs: ['EXCH-1'], reason: 'it comes up', tags: ['bells'] });
    expect(kept.events).toMatchObject([
      {
        type: 'memory_archived',
        exchange_id: 'EXCH-1:EPISODE-1',
        archive_reason: 'manual',
        provisional: false,
        source_sidebar: null,
        tags: ['bells'],
      },
    ]);
    const [episode] = (await board.get('episodes', { reason: 'manual' })).items;
    expect(episode).toMatchObject({
      entry_id: 'EXCH-1:EPISODE-1',
      content: expect.stringMatching(/carillon stop[\s\S]*zither spring/u) as unknown,
      about: 'EXCH-1',
      source_refs: ['MSG-1', 'MSG-2'],
      archived_by: 'AGENT-operator',
    });
    expect(await board.get('reference', { ref: 'EXCH-1:EPISODE-1' })).toMatchObject({ kind: 'EPISODE', thing: { about: 'EXCH-1' } });
    expect((await board.get('memory', { ref: 'MSG-2' })).episodes.map((one) => one.entry_id)).toEqual(['EXCH-1:EPISODE-1']);
    const again = await board.ask('/api/v1/memory/archive', {
      method: 'POST',
      headers: { authorization: `Bearer ${board.token}` },
      body: JSON.stringify({ refs: ['EXCH-1'] }),
    });
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'already-there' }]);
    await board.board.indexer.drain();
    const hits = (await board.get('search', { q: 'zither', mode: 'words' })).items;
    expect(JSON.stringify(hits)).toContain(episode?.uuid);
    const traced = JSON.stringify(await board.get('trace', { ref: 'EXCH-1' }));
    expect(traced).toContain('EXCH-1:EPISODE-1');
    expect(JSON.stringify(await board.get('trace', { ref: 'SB-1:EPISODE-1' }))).toContain('SB-1:CHECKPOINT-1');
    const cited = await board.command('citation_created', { source: 'SB-1:EPISODE-1', sidebar_id: 'SB-1' });
    expect(cited.warnings).toEqual(['SB-1:EPISODE-1 is provisional: it may still be rejected or revised']);
  });

  test('[EPI-11] episodes are filtered by where, why, how they stand, when and words, the newest first', async () => {
    const all = await refsOf({});
    expect(all).toEqual(['EXCH-1:EPISODE-1', 'SB-1:EPISODE-1']);
    expect(await refsOf({ sidebar_id: 'SB-1' })).toEqual(['SB-1:EPISODE-1']);
    expect(await refsOf({ checkpoint_id: 'SB-1:CHECKPOINT-1' })).toEqual(['SB-1:EPISODE-1']);
    expect(await refsOf({ checkpoint_id: 'CHECKPOINT-1', sidebar_id: 'SB-1' })).toEqual(['SB-1:EPISODE-1']);
    expect(await refsOf({ tag: 'bells' })).toEqual(['EXCH-1:EPISODE-1']);
    expect(await refsOf({ standing: 'provisional' })).toEqual(['SB-1:EPISODE-1']);
    expect(await refsOf({ standing: 'final', provisional: false })).toEqual(['EXCH-1:EPISODE-1']);
    expect(await refsOf({ words: 'SPRING worn', reason: 'checkpoint' })).toEqual(['SB-1:EPISODE-1']);
    expect(await refsOf({ words: 'spring worn' })).toEqual(all);
    expect(await refsOf({ words: 'spring nowhere' })).toEqual([]);
    expect(await refsOf({ until: '2001-01-01' })).toEqual([]);
    expect(await refsOf({ since: '2001-01-01' })).toEqual(all);
    const first = await board.get('episodes', { limit: 1 });
    expect((await board.get('episodes', { limit: 1, cursor: first.next_cursor ?? '' })).items.map((one) => one.entry_id)).toEqual(['SB-1:EPISODE-1']);
    expect(await board.problem('/api/v1/episodes?checkpoint_id=SB-1:CHECKPOINT-9')).toMatchObject({ status: 404 });
  });

  test('[EPI-13] whoever forgets a message of a kept exchange forgets the episode of that exchange', async () => {
    await board.command('memory_archive', { refs: ['EXCH-2'] });
    await board.command('forget', { ref: 'MSG-2' });
    const told = JSON.stringify(await board.command('episodes', {}));
    expect(told).not.toContain('zither');
    expect(told).toContain('(forgotten)');
    expect(told).toContain('And the bells?');
    expect(board.faults).toEqual([]);
  });
});

const anyEpisode = fc.record({
  sidebar: fc.constantFrom('a', 'b', null),
  words: fc.array(fc.constantFrom('warp', 'weft', 'loom'), { maxLength: 3 }),
  tag: fc.constantFrom('t', 'u'),
  isProvisional: fc.boolean(),
});
const anyWish = fc.record({
  sidebar: fc.constantFrom('a', 'b', null),
  words: fc.array(fc.constantFrom('war', 'we', 'loom', 'x'), { maxLength: 2 }),
  tag: fc.constantFrom('t', undefined),
  isProvisional: fc.constantFrom(true, false, undefined),
});

test('[EPI-11] what is found by its place is what a look at every episode finds, however the board grew', () => {
  const put = (board: Board, n: number, one: typeof anyEpisode extends fc.Arbitrary<infer T> ? T : never): void =>
    evolve(board, {
      type: 'episodic.archived',
      uuid: `e${n}`,
      contextId: 'board',
      by: { id: 'AGENT-ada', type: 'agent' },
      position: n,
      at: n,
      refs: [],
      payload: {
        content: one.words.join(' '),
        trigger: 'manual',
        finding: null,
        gold: null,
        sourceSidebar: one.sidebar,
        sourceCheckpoint: null,
        isProvisional: one.isProvisional,
        supersedes: null,
        tags: [one.tag],
        about: null,
        sources: [],
        pointers: null,
        priority: 'normal',
        requiresValidation: false,
        mark: null,
        note: null,
      },
    } satisfies Recorded<'episodic.archived'>);
  fc.assert(
    fc.property(fc.array(anyEpisode, { maxLength: 12 }), anyWish, fc.nat(12), (episodes, wanted, at) => {
      const shelf = createEpisodeShelf();
      const now = emptyBoard();
      const wish: EpisodeWish = { ...wanted, checkpoint: null, trigger: undefined, standing: undefined, since: null, until: null };
      for (const [n, one] of episodes.entries()) {
        if (n === at) shelf.newest(now, wish, null, Infinity);
        put(now, n + 1, one);
      }
      const fits = (one: (typeof episodes)[number]): boolean =>
        (wanted.sidebar === null || one.sidebar === wanted.sidebar) &&
        (wanted.tag === undefined || one.tag === wanted.tag) &&
        (wanted.isProvisional === undefined || one.isProvisional === wanted.isProvisional) &&
        wanted.words.every((word) => one.words.some((own) => own.includes(word)));
      const expected = episodes.flatMap((one, n) => (fits(one) ? [`e${n + 1}`] : []));
      expect(shelf.newest(now, wish, null, Infinity).map(({ id }) => id)).toEqual(expected.toReversed());
      // A board that was read anew is another one.
      expect(shelf.newest(emptyBoard(), wish, null, Infinity)).toEqual([]);
    }),
  );
});
