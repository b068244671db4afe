import fc from 'fast-check';
import type { OutputOf } from '@yarnboard/protocol';
import { distance } from '@yarnboard/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lettersOf, likeness, mayBeAlike } from '../../src/operations/archive/alike.ts';
import { makeBoard, type Input, type TestBoard } from './boards.ts';
import { prompt } from './records.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';
const SECRET = 'ghp_Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY1234';

type Story = {
  readonly task: string;
  readonly type?: string;
  readonly tags?: readonly string[];
  readonly parent?: string | null;
  readonly said?: readonly string[];
  readonly findings?: readonly (readonly [text: string, status: 'confirmed' | 'rejected'])[];
  readonly end: 'archive' | 'fail' | 'pause';
  readonly people?: readonly string[];
};

const STORIES: readonly Story[] = [
  {
    task: 'Users cannot sign in: authentication fails after the upgrade',
    type: 'debugging',
    tags: ['login', 'spring'],
    parent: SESSION,
    people: ['security'],
    said: ['The session cookie is dropped by the proxy.', `The token is ${SECRET}`],
    findings: [
      ['The proxy strips cookies longer than 4096 bytes.', 'confirmed'],
      ['The database refuses passwords.', 'rejected'],
    ],
    end: 'fail',
  },
  { task: 'Choose a colour for the buttons', type: 'design', tags: ['page'], end: 'archive', said: ['Teal it is.'] },
  { task: 'Measure the import of large files', type: 'research', parent: SESSION, end: 'pause', said: ['Ninety megabytes a second.'] },
  { task: 'Explain the cache eviction', type: 'Debugging', tags: ['spring'], end: 'archive' },
];

describe('searching the archive', () => {
  let board: TestBoard;
  const find = (input: Input = {}): Promise<OutputOf<'archive_search'>> => board.get('archive_search', input);
  const found = async (input: Input = {}): Promise<readonly string[]> => (await find(input)).items.map((one) => one.sidebar_id);
  const problem = async (query: string): Promise<readonly [string, string]> => {
    const { code, detail } = await board.problem(`/api/v1/archive?${query}`);
    return [code, detail];
  };

  const play = async ({ task, type, tags = [], parent = null, said = [], findings = [], end, people = [] }: Story): Promise<void> => {
    const { refs } = await board.command('sidebar_spawn', {
      parent_id: parent,
      task_description: task,
      ...(type === undefined ? {} : { task_type: type }),
      tags,
      participants: people,
    });
    const sidebar = refs.find((ref) => ref.startsWith('SB-')) ?? '';
    for (const content of said) await board.command('chat_message', { sidebar_id: sidebar, content });
    for (const [at, [content, status]] of findings.entries()) {
      await board.command('scratchpad_entry_submitted', { sidebar_id: sidebar, content });
      await board.command('scratchpad_entry_validated', {
        sidebar_id: sidebar,
        entry_id: `FINDING-${at + 1}`,
        status,
        validation_notes: 'looked at',
      });
    }
    if (end === 'fail') await board.command('sidebar_status_update', { sidebar_id: sidebar, new_status: 'FAILED', reason: 'out of time' });
    if (end === 'pause') await board.command('sidebar_pause', { sidebar_id: sidebar, reason: 'later' });
    await board.command('sidebar_archive', { sidebar_id: sidebar });
  };

  const begunAt = new Date();
  beforeAll(async () => {
    board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: [prompt('u1', null, 0, 'Users cannot sign in')] } });
    await board.command('agent_register', { agent_id: 'security' });
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'Authentication, still at work' });
    for (const story of STORIES) await play(story);
    await board.board.indexer.drain();
  });
  afterAll(() => board.close());

  test('[ARCHIVE-1] without a question: all that are archived and nothing else, the latest first, with the fields of an archived sidebar', async () => {
    const { items, total, order, coverage } = await find();
    expect(items.map((one) => one.sidebar_id)).toEqual(['SB-5', 'SB-4', 'SB-3', 'SB-2']);
    expect([total, order, coverage]).toEqual([4, 'newest', null]);
    const { sidebar_snapshot: snapshot, scratchpad_snapshot: pad, ...one } = items[3] ?? {};
    expect([snapshot, pad]).toEqual([null, null]);
    const whole = await board.get('sidebar_archived', { sidebar_id: 'SB-2' });
    expect((await find({ sidebar_id: 'SB-2', full: true })).items[0]).toEqual({ ...one, ...whole });
    expect(one).toMatchObject({
      final_status: 'FAILED',
      archive_reason: 'failed',
      participants: expect.arrayContaining(['AGENT-security']) as unknown,
    });
  });

  test('[ARCHIVE-2] every filter takes what fits it, and together they take what fits all', async () => {
    expect(await found({ sidebar_id: 'sb-3' })).toEqual(['SB-3']);
    expect(await found({ task_types: 'DEBUGGING' })).toEqual(['SB-5', 'SB-2']);
    expect(await found({ task_types: 'design, research' })).toEqual(['SB-4', 'SB-3']);
    expect(await found({ statuses: ['FAILED', 'paused'] })).toEqual(['SB-4', 'SB-2']);
    expect(await found({ participants: 'security' })).toEqual(['SB-2']);
    expect(await found({ parent_id: SESSION })).toEqual(['SB-4', 'SB-2']);
    expect(await found({ parent_id: 'MSG-1' })).toEqual(['SB-4', 'SB-2']);
    expect(await found({ parent_id: 'MSG-77' })).toEqual([]);
    expect(await found({ archive_reasons: 'manual' })).toEqual(['SB-5', 'SB-4', 'SB-3']);
    expect(await found({ tags: 'Spring' })).toEqual(['SB-5', 'SB-2']);
    expect(await found({ archived_by: 'operator' })).toHaveLength(4);
    expect(await found({ has_gold: true })).toEqual([]);
    const day = (at: Date): string => at.toISOString().slice(0, 10);
    // Midnight may have passed since they were archived.
    expect(await found({ from_date: day(begunAt), to_date: day(new Date()) })).toHaveLength(4);
    expect(await found({ to_date: '2020-01-01' })).toEqual([]);
    expect(await found({ tags: 'spring', task_types: 'debugging', statuses: 'FAILED', fuzzy_text: 'proxi' })).toEqual(['SB-2']);
  });

  test('[ARCHIVE-2] combined filters are the intersection of each', async () => {
    const parts: readonly Input[] = [
      { tags: 'spring' },
      { task_types: 'debugging' },
      { statuses: 'FAILED' },
      { fuzzy_text: 'the' },
      { parent_id: SESSION },
    ];
    const each = await Promise.all(parts.map((part) => found(part)));
    await fc.assert(
      fc.asyncProperty(fc.subarray([...parts.keys()], { minLength: 1 }), async (chosen) => {
        const together = new Set(await found(Object.assign({}, ...chosen.map((at) => parts[at])) as Input));
        const expected = (await found()).filter((ref) => chosen.every((at) => each[at]?.includes(ref)));
        expect([...together].toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 30 },
    );
  });

  test('[ARCHIVE-3] what cannot be meant is refused, with what would be taken', async () => {
    expect(await problem('statuses=ARCHIVED')).toEqual(['bad-request', expect.stringContaining('MERGED')]);
    expect(await problem('fuzzy_threshold=2')).toEqual(['bad-request', expect.stringContaining('fuzzy_threshold')]);
    expect(await problem('similarity_threshold=-1')).toEqual(['bad-request', expect.stringContaining('similarity_threshold')]);
    expect(await problem('from_date=2026-02-01&to_date=2026-01-01')).toEqual(['bad-request', expect.stringContaining('earlier date first')]);
    expect(await problem('to_date=yesterday')).toEqual(['bad-request', expect.stringContaining('"yesterday" is not a time')]);
    expect(await problem('nobody=1')).toEqual(['bad-request', expect.stringContaining('nobody')]);
    expect(await problem('sidebar_id=SB-99')).toEqual(['not-found', expect.stringContaining('SB-99')]);
    expect(await problem('offset=1&cursor=abc')).toEqual(['bad-request', expect.stringContaining('offset')]);
    expect(await problem(`tags=${Array.from({ length: 101 }, (_, n) => `t${n}`).join(',')}`)).toEqual([
      'bad-request',
      expect.stringContaining('tags'),
    ]);
  });

  test('[ARCHIVE-10] what there is to filter by is told when somebody asks, and each of it finds as many as it says', async () => {
    expect((await find()).facets).toBeNull();
    const { facets } = await find({ facets: true, limit: 1, fuzzy_text: 'nowhere' });
    expect(facets?.task_types).toEqual([
      { value: 'debugging', sidebars: 2 },
      { value: 'design', sidebars: 1 },
      { value: 'research', sidebars: 1 },
    ]);
    expect(facets?.tags[0]?.sidebars).toBeGreaterThan(1);
    expect(facets?.tags).toEqual(facets?.tags.toSorted((a, b) => b.sidebars - a.sidebars || (a.value < b.value ? -1 : 1)));
    expect(facets?.tags).toContainEqual({ value: 'spring', sidebars: 2 });
    expect(facets?.participants).toContainEqual({ value: 'AGENT-security', sidebars: 1 });
    expect(facets?.projects.map(({ sidebars }) => sidebars)).toEqual([2]);
    for (const name of ['task_types', 'participants', 'tags', 'archived_by'] as const)
      for (const { value, sidebars } of facets?.[name] ?? []) expect(await found({ [name]: value })).toHaveLength(sidebars);
    for (const { value, sidebars } of facets?.projects ?? []) expect(await found({ project: value })).toHaveLength(sidebars);
  });

  test('[ARCHIVE-4] pages put together are all of it, once, by cursor and by offset', async () => {
    const all = await found();
    for (const limit of [1, 2, 3]) {
      const byCursor: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: OutputOf<'archive_search'> = await find({ limit, ...(cursor === undefined ? {} : { cursor }) });
        byCursor.push(...page.items.map((one) => one.sidebar_id));
        cursor = page.next_cursor;
      }
      expect(byCursor).toEqual(all);
      expect([...(await found({ limit })), ...(await found({ limit: 500, offset: limit }))]).toEqual(all);
    }
  });

  test('[ARCHIVE-5] [ARCHIVE-6] misspelled and cut words find it; every word must be there', async () => {
    const { items, order } = await find({ fuzzy_text: 'authentcation' });
    expect([items.map((one) => one.sidebar_id), order]).toEqual([['SB-2'], 'relevance']);
    const snippet = STORIES[0]?.task ?? '';
    const from = snippet.indexOf('authentication');
    expect(items[0]?.matched).toEqual([
      {
        by: 'fuzzy_text',
        field: 'task',
        score: expect.any(Number) as number,
        snippet,
        highlights: [{ from, to: from + 'authentication'.length }],
      },
    ]);
    expect(await found({ fuzzy_text: 'evict' })).toEqual(['SB-5']);
    expect(await found({ fuzzy_text: 'autentication elephant' })).toEqual([]);
    expect(await found({ fuzzy_text: 'megabites' })).toEqual(['SB-4']);
    expect((await find({ fuzzy_text: 'megabites' })).items[0]?.matched[0]).toMatchObject({ field: 'said', snippet: 'Ninety megabytes a second.' });
    expect(await found({ fuzzy_text: '!?' })).toEqual([]);
  });

  test('[ARCHIVE-6] the higher the threshold, the fewer', async () => {
    const counts = await Promise.all(
      [0, 0.3, 0.5, 0.8, 1].map(async (least) => (await found({ fuzzy_text: 'autentication', fuzzy_threshold: least })).length),
    );
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.at(-1)).toBe(0);
  });

  test('[ARCHIVE-7] what only a rejected finding says counts half, and is marked as rejected', async () => {
    const [hit] = (await find({ fuzzy_text: 'passwords' })).items;
    expect(hit?.matched[0]).toMatchObject({ field: 'rejected_finding', score: 0.5 });
  });

  test('[ARCHIVE-8] by meaning it is found without a word in common, with the passage that says it and the coverage', async () => {
    const { items, coverage } = await find({ query_text: 'login problems', similarity_threshold: 0.3 });
    expect(items[0]).toMatchObject({ sidebar_id: 'SB-2', matched: [{ by: 'query_text', field: 'task', snippet: STORIES[0]?.task }] });
    expect(coverage?.position).toBe(coverage?.of);
    expect(await found({ query_text: 'login problems', similarity_threshold: 1 })).toEqual([]);
    expect(await found({ query_text: 'login problems', similarity_threshold: 0.3, fuzzy_text: 'teal' })).toEqual([]);
  });

  test('[ARCHIVE-9] secrets are neither found nor shown', async () => {
    expect(await found({ fuzzy_text: SECRET })).toEqual([]);
    expect(JSON.stringify(await find({ fuzzy_text: 'token' }))).not.toContain(SECRET.slice(0, 20));
  });

  test('[ARCHIVE-9] what is forgotten is found no more', async () => {
    expect(await found({ fuzzy_text: 'teal' })).toEqual(['SB-3']);
    const { items } = await board.get('sidebar_memory', { sidebar_id: 'SB-3' });
    await board.command('forget', { ref: items[0]?.ref ?? '' });
    expect(await found({ fuzzy_text: 'teal' })).toEqual([]);
    expect(await found({ fuzzy_text: 'colour' })).toEqual(['SB-3']);
  });
});

const WORD = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '1', 'z'), minLength: 1, maxLength: 9 });

test('[ARCHIVE-6] how alike two words are: one less the edits as a share of the longer, or contained in it', () => {
  fc.assert(
    fc.property(WORD, WORD, fc.double({ min: 0, max: 1, noNaN: true }), (asked, word, least) => {
      const longer = Math.max(asked.length, word.length);
      const plain = 1 - distance(asked, word, longer) / longer;
      const isPart = asked.length >= 4 && word.length > asked.length && word.includes(asked);
      const alike = likeness(asked, word, least);
      const reached = plain >= least ? plain : 0;
      // Just below the threshold either is right: 1 - 0.8 is a little less than 0.2.
      expect(isPart ? alike > 0.8 : Math.abs(alike - reached) < 1e-9 || Math.abs(plain - least) < 1e-6).toBe(true);
      // The quick look never leaves out what the close look would take.
      const shapeOf = (text: string) => ({ length: text.length, letters: lettersOf(text) });
      expect(alike === 0 || mayBeAlike(shapeOf(asked), shapeOf(word), least)).toBe(true);
    }),
  );
});
