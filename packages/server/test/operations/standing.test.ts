import net from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { behindSuccessors } from '../../src/operations/standing.ts';
import { makeBoard, type Input, type TestBoard } from './boards.ts';
import { prompt, reply } from './records.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';
const SECRET = 'ghp_Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY1234';

describe('how hits stand', () => {
  let board: TestBoard;
  let tried: string[];
  const usual = Object.getOwnPropertyDescriptor(net.Socket.prototype, 'connect');

  beforeAll(async () => {
    tried = [];
    // Whoever opens a connection from here on is noted and refused.
    net.Socket.prototype.connect = function refuse(...args: readonly unknown[]): never {
      tried.push(JSON.stringify(args[0]));
      throw new Error('no connection may be opened while searching');
    };
    board = await makeBoard({
      files: {
        [`-p/${SESSION}.jsonl`]: [
          prompt('u1', null, 0, `The proxy drops long cookies of people who want to sign in ${SECRET}`),
          reply('u2', 'u1', 1, [{ type: 'text', text: 'Cookies beyond four kilobytes are cut by the proxy before login' }]),
          prompt('u3', 'u2', 2, 'Now bake bread with flour, water, salt and patience'),
        ],
      },
    });
    await board.command('sidebar_spawn', { parent_id: null, task_description: 'Find out why the proxy loses session cookies at login' });
    const submit = (content: string, more: Input = {}) => board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content, ...more });
    const judge = (entry: string, status: string) =>
      board.command('scratchpad_entry_validated', { sidebar_id: 'SB-1', entry_id: entry, status, validation_notes: 'looked at' });
    await submit('Proxy cookies proxy cookies: the limit is 2048 bytes');
    await judge('FINDING-1', 'confirmed');
    await submit('The limit of the proxy for cookies turned out to be 4096 bytes, measured with several browsers', { supersedes: 'FINDING-1' });
    await judge('FINDING-2', 'confirmed');
    await submit('Proxy cookies are lost because of the weather');
    await judge('FINDING-3', 'rejected');
    await submit('Perhaps the proxy counts cookies twice');
    await board.board.indexer.drain();
  });
  afterAll(async () => {
    Object.defineProperty(net.Socket.prototype, 'connect', usual ?? {});
    await board.close();
  });

  const told = async (input: Input = {}) =>
    (await board.get('search', { q: 'proxy cookies', mode: 'words', ...input })).items
      .filter(({ type }) => type === 'finding.submitted')
      .map(({ ref, marks, superseded_by: by }) => [ref, marks, by]);

  test('[FIND-50] hits tell what is provisional, superseded and by what, rejected, and archived', async () => {
    const hits = await told();
    expect(new Map(hits.map(([ref, marks, by]) => [ref, [marks, by]]))).toEqual(
      new Map([
        ['FRAG-1', [['superseded'], 'SCRATCH-1:FINDING-2']],
        ['FRAG-2', [[], null]],
        ['FRAG-3', [['rejected'], null]],
        ['FRAG-4', [['provisional'], null]],
      ]),
    );
  });

  test('[FIND-51] what was superseded comes right behind what took its place', async () => {
    const refs = (await told()).map(([ref]) => ref);
    expect(refs.indexOf('FRAG-1')).toBeGreaterThan(refs.indexOf('FRAG-2'));
  });

  test('[FIND-51] also where the pages are cut between the two, and every hit comes once', async () => {
    const whole = (await board.get('search', { q: 'proxy cookies', mode: 'words', limit: '100' })).items.map(({ position }) => position);
    expect(whole.length).toBeGreaterThan(4);
    for (const mode of ['words', 'hybrid', 'semantic'])
      for (const limit of ['1', '2', '3']) {
        const paged: (readonly [string | null, number])[] = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<typeof board.get<'search'>>> = await board.get('search', {
            q: mode === 'words' ? 'proxy cookies' : 'the proxy and the limit of its cookies',
            mode,
            limit,
            ...(cursor === null ? {} : { cursor }),
          });
          paged.push(...page.items.map(({ ref, position }) => [ref, position] as const));
          cursor = page.next_cursor;
        } while (cursor !== null);
        const [old, newer] = ['FRAG-1', 'FRAG-2'].map((one) => paged.findIndex(([ref]) => ref === one));
        expect([mode, limit, old === (newer ?? 0) + 1, new Set(paged.map(([, position]) => position)).size]).toEqual([
          mode,
          limit,
          true,
          paged.length,
        ]);
        const shown = paged.map(([, position]) => position);
        expect([mode, limit, mode === 'words' ? shown : whole]).toEqual([mode, limit, whole]);
      }
  });

  test('[FIND-52] standing leaves out what was superseded or rejected, and pages are full all the same', async () => {
    expect(new Set((await told({ standing: 'true' })).map(([ref]) => ref))).toEqual(new Set(['FRAG-2', 'FRAG-4']));
    const all = (await board.get('search', { q: 'proxy cookies', mode: 'words', standing: 'true', limit: '100' })).items;
    const paged: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof board.get<'search'>>> = await board.get('search', {
        q: 'proxy cookies',
        mode: 'words',
        standing: 'true',
        limit: '2',
        ...(cursor === null ? {} : { cursor }),
      });
      expect(page.items.length === 2 || page.next_cursor === null).toBe(true);
      paged.push(...page.items.map(({ position }) => position));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(new Set(paged)).toEqual(new Set(all.map(({ position }) => position)));
    expect(paged).toHaveLength(all.length);
  });

  test('[SEM-5] similar finds more like a message, a finding or a sidebar, of any kind, masked, and not the thing itself', async () => {
    const { ref, items, coverage } = await board.get('similar', { ref: 'MSG-1' });
    expect([ref, coverage.position]).toEqual(['MSG-1', coverage.of]);
    expect(items.map(({ uuid }) => uuid)).not.toContain('u1');
    expect(items.map(({ type }) => type)).toEqual(expect.arrayContaining(['assistant', 'finding.submitted', 'sidebar.spawned']));
    expect(items.every(({ similarity, near }) => near !== null && similarity !== null && similarity >= 0 && similarity <= 1)).toBe(true);
    const found = JSON.stringify(await board.get('similar', { ref: 'SCRATCH-1:FINDING-2' }));
    expect([found.includes('The proxy drops long cookies'), found.includes('ghp_'), found.includes('bake bread')]).toEqual([true, false, false]);
    const standing = await board.get('similar', { ref: 'SB-1', standing: 'true' });
    expect(standing.items.flatMap(({ marks }) => marks)).not.toContain('superseded');
    expect(await board.problem('/api/v1/similar/MSG-999')).toMatchObject({ code: 'not-found' });
    expect(await board.problem('/api/v1/similar/nonsense%20words')).toMatchObject({ code: 'bad-reference' });
  });

  test('[FIND-50] what stands in an archived sidebar says so', async () => {
    await board.command('sidebar_archive', { sidebar_id: 'SB-1' });
    const hits = await told({ standing: 'true' });
    expect(hits.every(([, marks]) => (marks as readonly string[]).includes('archived'))).toBe(true);
    expect(hits.length).toBeGreaterThan(0);
  });

  test('[SEM-6] importing, indexing and searching in every mode open no connection', async () => {
    for (const mode of ['words', 'semantic', 'hybrid']) await board.get('search', { q: 'people who cannot sign in any more', mode });
    await board.get('archive_search', { query_text: 'login problems', fuzzy_text: 'cokies' });
    expect(tried).toEqual([]);
    expect(() => net.connect(9)).toThrow('no connection');
    expect(tried).toHaveLength(1);
  });
});

test('[FIND-51] nothing is lost or doubled, order stays otherwise, and nothing superseded is before its successor', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(20), { maxLength: 15 }), fc.dictionary(fc.nat(20).map(String), fc.nat(20)), (positions, named) => {
      // A successor is always newer, unless the log was forged.
      const successorOf = ({ position }: { readonly position: number }): number | null => {
        const successor = named[String(position)];
        return successor !== undefined && successor > position ? successor : null;
      };
      const placed = behindSuccessors(
        positions.map((position) => ({ position })),
        successorOf,
      ).map(({ position }) => position);
      expect(placed.toSorted((a, b) => a - b)).toEqual(positions.toSorted((a, b) => a - b));
      for (const position of positions) {
        const successor = successorOf({ position });
        const isBehind = successor === null || !positions.includes(successor) || placed.indexOf(successor) < placed.indexOf(position);
        expect([position, isBehind]).toEqual([position, true]);
      }
      const free = positions.filter((position) => !positions.includes(successorOf({ position }) ?? -1));
      expect(placed.filter((position) => free.includes(position))).toEqual(free);
    }),
  );
});
