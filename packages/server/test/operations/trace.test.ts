import { ok } from '@yarnboard/domain';
import { toolCall, toWire, type OutputOf } from '@yarnboard/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerOf } from '../../src/doors/mcp/answers.ts';
import { NOBODY } from '../../src/operations/request/asker.ts';
import { createTracer } from '../../src/operations/trace/trace.ts';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import { makeBoard, type Input, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';
const OTHER = '11112222-0000-4000-8000-000000000002';
const touch = (path: string) => Object.fromEntries([['file_path', path]]);
const SECRET = 'ghp_Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY1234';

type Trace = OutputOf<'trace'>;

/** What a trace tells, as sentences. */
const sentences = ({ edges }: Trace): readonly string[] => edges.map(({ from, kind, to }) => `${from} ${kind} ${to}`).toSorted();
/** Only those of the root itself. */
const own = (answer: Trace): readonly string[] =>
  sentences({ ...answer, edges: answer.edges.filter(({ from, to }) => from === answer.root || to === answer.root) });
const refs = ({ nodes }: Trace): readonly string[] => nodes.map(({ ref }) => ref);

/** Everything that is known so far, folded from the log by somebody who knows nothing yet. */
const createTracerAnew = async ({ board: { store, engine } }: TestBoard, ref: string): Promise<readonly string[]> => {
  const tracer = createTracer({ store, engine, sessions: createSessionLoader(store), pending: () => [], now: Date.now });
  const input = { ref, depth: 3, limit: 500, direction: 'both' } as const;
  const { edges } = (await tracer({ ...input, kinds: undefined }, { asker: NOBODY, signal: new AbortController().signal })) as Trace; // no names in it differ outside
  return edges.map(({ from, kind, to }) => `${from} ${kind} ${to}`);
};

describe('tracing', () => {
  let board: TestBoard;
  const trace = (ref: string, input: Input = {}): Promise<Trace> => board.get('trace', { ref, ...input });
  const problem = async (ref: string, query = ''): Promise<readonly [string, string]> => {
    const { code, detail } = await board.problem(`/api/v1/trace/${encodeURIComponent(ref)}${query}`);
    return [code, detail];
  };

  beforeAll(async () => {
    board = await makeBoard({
      files: {
        [`-p/${SESSION}.jsonl`]: [
          prompt('u1', null, 0, 'Users cannot sign in'),
          reply('a1', 'u1', 1, [{ type: 'text', text: 'I look.' }, use('t1', 'Bash', { command: 'cat log' })]),
          result('r1', 'a1', 2, 't1', 'cookie too long'),
          reply('a2', 'r1', 3, 'The cookie is too long.'),
        ],
        [`-p/${OTHER}.jsonl`]: [
          prompt('v1', null, 4, `Use ${SECRET} and look at MSG-1, not MSG-99`),
          reply('w1', 'v1', 5, [
            use('t2', 'Edit', touch('src/proxy.ts')),
            use('t3', 'Read', touch('/home/ada/loom/src/proxy.ts')),
            use('t4', 'Write', touch('/srv/app/src/proxy.ts')),
            use('t5', 'Task', { prompt: 'look' }),
          ]),
          { ...result('r5', 'w1', 6, 't5', 'found'), toolUseResult: { agentId: 'spider' } },
        ],
        [`-p/${OTHER}/subagents/agent-spider.jsonl`]: [
          reply('x1', null, 6, 'I found it.', { isSidechain: true, agentId: 'spider', sessionId: OTHER }),
        ],
      },
    });
    await board.command('sidebar_spawn', { parent_id: 'MSG-4', task_description: 'Why is the cookie too long?' });
    await board.command('chat_message', { sidebar_id: 'SB-1', content: 'As MSG-4 says.' });
    await board.command('citation_created', { sidebar_id: 'SB-1', source: 'MSG-3', content: 'cookie too long' });
    await board.command('scratchpad_entry_submitted', { sidebar_id: 'SB-1', content: 'The proxy adds to it.', source_refs: ['CITE-1'] });
    await board.command('scratchpad_entry_validated', { sidebar_id: 'SB-1', entry_id: 'FINDING-1', status: 'confirmed', validation_notes: 'seen' });
    await board.command('gold_created', {
      sidebar_id: 'SB-1',
      source_refs: ['FRAG-1'],
      key_insight: 'Proxies add to cookies',
      reuse_pattern: 'Measure behind the proxy',
      trigger_conditions: ['cookie too long'],
    });
  });

  afterAll(() => board.close());

  test('[TRACE-2] from GOLD back to the message that proved it, and from that message forward to the GOLD', async () => {
    const back = await trace('GOLD-1', { direction: 'back', depth: 4, kinds: 'made-of,rests-on,cites' });
    expect(sentences(back)).toEqual(['CITE-1 cites MSG-3', 'GOLD-1 made-of SCRATCH-1:FINDING-1', 'SCRATCH-1:FINDING-1 rests-on CITE-1']);
    expect(refs(back)).toEqual(['GOLD-1', 'SCRATCH-1:FINDING-1', 'CITE-1', 'MSG-3']);
    const forward = await trace('MSG-3', { direction: 'forward', depth: 4, kinds: 'made-of,rests-on,cites' });
    expect(sentences(forward)).toEqual(sentences(back));
    const [gold] = back.nodes;
    expect(gold).toMatchObject({ kind: 'gold', title: 'Proxies add to cookies', context: 'SB-1', by: 'AGENT-operator', out: { 'made-of': 1 } });
  });

  test('[TRACE-7] a message hangs together with what it answers, its session and its calls', async () => {
    expect(own(await trace('MSG-2', { depth: 1 }))).toEqual(
      ['MSG-2 answers MSG-1', `MSG-2 part-of ${SESSION}`, 'MSG-2 used MSG-2#1', 'MSG-3 answers MSG-2'].toSorted(),
    );
    expect(own(await trace('MSG-2#1', { depth: 1 }))).toEqual(['MSG-2 used MSG-2#1', 'MSG-3 result-of MSG-2#1']);
    expect((await trace('MSG-2#1', { depth: 1 })).unknown_calls).toBe(1);
  });

  test('[TRACE-10] from a file to the calls that touched it, from a mention to what is mentioned, and back', async () => {
    const path = '/home/ada/loom/src/proxy.ts';
    const file = await trace('loom/src/proxy.ts', { depth: 1 });
    expect([file.root, file.nodes[0]?.kind, file.nodes[0]?.in]).toEqual([path, 'file', { edited: 1, read: 1 }]);
    expect(own(file)).toEqual([`MSG-6#1 edited ${path}`, `MSG-6#2 read ${path}`]);
    expect(own(await trace('MSG-6#1', { depth: 1 }))).toContain(`MSG-6#1 edited ${path}`);
    expect(await problem('src/proxy.ts')).toEqual([
      'ambiguous',
      '"src/proxy.ts" matches several: /srv/app/src/proxy.ts, /home/ada/loom/src/proxy.ts; give more of it',
    ]);
    expect(own(await trace('MSG-1', { depth: 1, kinds: 'mentions' }))).toEqual(['MSG-5 mentions MSG-1']);
    expect(own(await trace('MSG-5', { depth: 1, kinds: 'mentions' }))).toEqual(['MSG-5 mentions MSG-1']);
  });

  test('[TRACE-7] a sub-agent hangs on the call that started it and on its session', async () => {
    const spider = `agent:spider@${OTHER}`;
    expect(own(await trace(spider, { depth: 1 }))).toEqual(
      [`MSG-6#4 started ${spider}`, `MSG-8 part-of ${spider}`, `${spider} part-of ${OTHER}`].toSorted(),
    );
    expect(own(await trace('MSG-6#4', { depth: 1, kinds: 'started' }))).toEqual([`MSG-6#4 started ${spider}`]);
  });

  test('[TRACE-3] the strings of a node come page by page, each once', async () => {
    const all = own(await trace(OTHER, { depth: 1, limit: 500 }));
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Trace = await trace(OTHER, { depth: 1, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...own(page));
      cursor = page.next_cursor;
    }
    expect(found.toSorted()).toEqual(all);
  });

  test('[TRACE-12] a stretch tells what happened between two entries, across conversations', async () => {
    const stretch = await trace('MSG-4..MSG-6');
    expect([stretch.root, refs(stretch)]).toEqual(['MSG-4..MSG-6', ['MSG-4', 'MSG-5', 'MSG-6']]);
    expect(sentences(stretch)).toEqual(['MSG-6 answers MSG-5']);
    const page = await trace('MSG-4..MSG-6', { limit: 2 });
    expect(refs(page)).toEqual(['MSG-4', 'MSG-5']);
    expect(refs(await trace('MSG-4..MSG-6', { limit: 2, cursor: page.next_cursor }))).toEqual(['MSG-6']);
    expect((await problem('MSG-4..MSG-999'))[0]).toBe('not-found');
  });

  test('[TRACE-11] a seat that sees its sidebar is told what it may reach, and not how much else there is', async () => {
    const { store, engine } = board.board;
    const sidebar = engine.board().sidebars.get(engine.board().ids.get('SB-1') ?? '');
    const tracer = createTracer({ store, engine, sessions: createSessionLoader(store), pending: () => [], now: Date.now });
    const seat = { sidebarId: sidebar?.id ?? '', sidebarRef: 'SB-1' };
    const seen = async (reach: 'sidebar' | 'board'): Promise<Trace> => {
      const asker = { isOperator: false, actor: { id: 'AGENT-spy', type: 'agent' }, seat: { ...seat, reach } } as const;
      const input = { ref: 'MSG-4', depth: 3, limit: 500, direction: 'both', kinds: undefined } as const;
      return toWire(await tracer(input, { asker, signal: new AbortController().signal })) as Trace; // as its door tells it
    };
    const [near, all] = [await seen('sidebar'), await seen('board')];
    expect(refs(near)).toEqual(expect.arrayContaining(['MSG-4', 'MSG-3', 'SB-1', 'CITE-1', 'GOLD-1']));
    expect(refs(near).filter((ref) => ref === OTHER || ref === SESSION || ref === 'MSG-5')).toEqual([]);
    expect(refs(all)).toContain(SESSION);
    expect(JSON.stringify(near)).not.toContain(SESSION);
    expect(near.nodes[0]?.out).toEqual({ answers: 1 });
    expect(all.nodes[0]?.out).toEqual({ answers: 1, 'part-of': 1 });
  });

  test('[TRACE-11] people are connected by places that a seat does not see: those are not named', async () => {
    const made = await makeBoard({ isImported: false });
    await made.command('agent_register', { agent_id: 'spy' });
    const spawn = async (): Promise<string> => (await made.command('sidebar_spawn', { parent_id: null, task_description: 'x' })).ref ?? '';
    const [here, there] = [await spawn(), await spawn()];
    for (const sidebar of [here, there]) await made.command('agent_recruited', { sidebar_id: sidebar, agent_id: 'spy' });
    const { store, engine } = made.board;
    const tracer = createTracer({ store, engine, sessions: createSessionLoader(store), pending: () => [], now: Date.now });
    const seenFrom = async (sidebar: string): Promise<Trace> => {
      const seat = { sidebarId: engine.board().ids.get(sidebar) ?? '', sidebarRef: sidebar, reach: 'sidebar' } as const;
      const asker = { isOperator: false, actor: { id: 'AGENT-spy', type: 'agent' }, seat } as const;
      const input = { ref: 'AGENT-spy', depth: 2, limit: 500, direction: 'both', kinds: undefined } as const;
      return toWire(await tracer(input, { asker, signal: new AbortController().signal })) as Trace; // as its door tells it
    };
    const notesOf = ({ edges }: Trace): readonly unknown[] => edges.filter(({ kind }) => kind === 'recruited').map(({ note }) => note);
    expect(notesOf(await seenFrom(there))).toEqual([there]);
    const fromHere = await seenFrom(here);
    expect(notesOf(fromHere)).toEqual([null]);
    expect(JSON.stringify(fromHere)).not.toContain(there);
    await made.close();
  });

  test('[TRACE-13] an agent gets 60 nodes unless it asks for fewer', async () => {
    const asked: object[] = [];
    const ask = async (_name: string, given: object) => {
      asked.push(given);
      return ok(await board.get('trace', { ...given, ref: 'SB-1' }));
    };
    const answer = await answerOf(ask, 'trace', { ref: 'SB-1' });
    expect(answer.ok && 'nodes' in answer.value && Array.isArray(answer.value.nodes) ? answer.value.nodes.length : 0).toBeGreaterThan(10);
    await answerOf(ask, 'trace', { ref: 'SB-1', limit: 3 });
    expect(asked).toMatchObject([{ limit: 60 }, { limit: 3 }]);
    expect(toolCall('trace')).toBe('trace');
  });

  test('[TRACE-5] however it is spelled, it is one node', async () => {
    for (const ref of ['FRAG-1', 'scratch-1:finding-1', 'SCRATCH-SB-1:FINDING-1']) expect((await trace(ref)).root).toBe('SCRATCH-1:FINDING-1');
  });

  test('[TRACE-6] what is read anew has the same strings as what grew', async () => {
    const before = await trace('SB-1', { depth: 3, limit: 500 });
    await board.command('chat_message', { sidebar_id: 'SB-1', content: 'Nothing else.' });
    const grown = await trace('SB-1', { depth: 3, limit: 500 });
    expect(grown.edges.length).toBeGreaterThan(before.edges.length);
    const again = await createTracerAnew(board, 'SB-1');
    expect(again.toSorted()).toEqual(sentences(grown));
  });

  test('[TRACE-4] the shortest ways between two things', async () => {
    const { ways, nodes } = await trace('GOLD-1', { to: 'MSG-3' });
    expect(ways).toContainEqual(['GOLD-1', 'SCRATCH-1:FINDING-1', 'CITE-1', 'MSG-3']);
    expect(new Set(ways?.map((way) => way.length))).toEqual(new Set([ways?.[0]?.length]));
    expect(nodes.length).toBeGreaterThan(3);
  });

  test('[TRACE-9] what is unknown is refused with the nearest, and what fits several is named', async () => {
    expect(await problem('MSG-9999')).toEqual(['not-found', 'there is no "MSG-9999" on this board; the nearest is MSG-10']);
    expect(await problem('nothing/at/all.ts')).toEqual([
      'not-found',
      'there is no "nothing/at/all.ts" on this board; give a reference such as MSG-12, a session ID or a path',
    ]);
    expect((await problem('1111'))[0]).toBe('ambiguous');
    expect(await problem('MSG-1', '?depth=99')).toEqual(['bad-request', expect.stringMatching(/depth.*6/u)]);
    expect((await trace('11111')).root).toBe(SESSION);
    expect((await trace('u1')).root).toBe('MSG-1');
  });

  test('[TRACE-8] titles are masked like everything', async () => {
    const { nodes } = await trace('MSG-5', { depth: 1 });
    expect(JSON.stringify(nodes)).not.toContain(SECRET);
    expect(nodes[0]?.title).toMatch(/^Use .* and look at MSG-1, not MSG-99$/u);
  });
});
