import fc from 'fast-check';
import { isTool, REGISTRY, TOOLS, type Operation, type OperationName, type OutputOf } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldsOf } from '../../../src/doors/mcp/input-schema.ts';
import { toolsFor } from '../../../src/doors/mcp/tools.ts';
import { DEMO, makeBoard, pathOf, walk, walkMessages, type TestBoard } from '../../operations/boards.ts';
import { prompt, reply, result, use } from '../../operations/records.ts';
import { FURNITURE, furnish } from '../../operations/board/furniture.ts';
import { connectTo, type Connection } from './connections.ts';

// Put together here, so that no scanner takes this file for a leak.
const KEY = ['sk', 'ant', 'api03', 'Zq7Wm2Kx9Lp4Vt8Rb3Nc6Yd1Hf5Jg0'].join('-');
const PASSWORD = 'q8Zr5Kw2Vn7Tb4Xc9M';
const EDITED = '/work/shop/keys.txt';
const SECRET_SESSION = '11111111-0000-4000-8000-000000000001';

let demo: TestBoard;
let secrets: TestBoard;
beforeAll(async () => {
  demo = await makeBoard({ roots: [DEMO] });
  await furnish(demo);
  secrets = await makeBoard({
    files: {
      [`p/${SECRET_SESSION}.jsonl`]: [
        prompt('u1', null, 0, `use ${KEY} please`, { gitBranch: KEY }),
        reply('u2', 'u1', 1, [
          { type: 'text', text: `with ${KEY}` },
          use('t1', 'Bash', { command: `x --key ${KEY}`, password: PASSWORD }),
          use('t2', 'Write', { file_path: EDITED, content: `key = ${KEY}` }),
        ]),
        result('u3', 'u2', 2, 't1', `said ${KEY}`),
        result('u4', 'u3', 3, 't2', 'written'),
        { type: 'custom-title', customTitle: `How I lost ${KEY}`, sessionId: SECRET_SESSION },
      ],
    },
  });
});

const reads = Object.values<Operation>(REGISTRY).filter(({ method }) => method === 'GET');
const first = { id: 'ad5ab9af-1246-4177-86b2-521eebb0f7c6', ref: 'MSG-1', q: 'file', ...FURNITURE };
/** What is often understood; else the ids of sessions are tried. */
const LIKELY: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '7', '500'],
  after: ['0', '30'],
  ['after_seq']: ['0', '30'],
  ref: ['MSG-1', 'MSG-2#1', 'MSG-30'],
  ...Object.fromEntries(Object.entries(FURNITURE).map(([key, value]) => [key, [value]])),
  q: ['file', '"the file"', 'fiel'],
  thread: ['main', 'all'],
  operations: ['true', 'false'],
  reveal: ['false'],
  actor: ['human', 'agent'],
  since: ['2025-08-06'],
  until: ['2026-08-06T10:00:00Z'],
  ['min_cost_usd']: ['0', '1'],
  ['has_error']: ['true', 'false'],
};
/** Numbers and switches as JSON has them, where the tool says that it takes them. */
const typed = (name: OperationName, input: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([key, text]) => {
      const type = fieldsOf(REGISTRY[name], 'operator').find((field) => field.name === key)?.schema['type'];
      if ((type === 'integer' || type === 'number') && /^-?\d+$/u.test(text)) return [key, Number(text)];
      return [key, type === 'boolean' && ['true', 'false'].includes(text) ? text === 'true' : text];
    }),
  );
const inputFor = ({ input }: Operation) => Object.fromEntries(Object.entries(first).filter(([key]) => key in input.shape));

/** A page of this size is a page at every door. */
const short = (name: OperationName, input: Readonly<Record<string, string>>): Record<string, string> => {
  const { shape } = (REGISTRY[name] as Operation).input;
  const isPaged = 'limit' in shape && ('cursor' in shape || 'from' in shape);
  if (!isPaged || !z.safeParse(shape['limit'] ?? z.never(), input['limit']).success) return input;
  return { ...input, limit: String(Math.min(Number(input['limit'] ?? 20), 20)) };
};

type Answered = { readonly isError: boolean; readonly answer: unknown };

/** What MCP answers in the end; what was left out is asked for. */
const answerAt = async ({ client, whole, refusal }: Connection, name: string, input: Record<string, unknown>): Promise<Answered> => {
  const { isError = false } = await client.callTool({ name, arguments: input });
  return { isError, answer: isError ? await refusal(name, input) : await whole(name, input) };
};

/** The same over HTTP. A page that is long there may be shorter here. */
const overHttp = async (name: OperationName, input: Record<string, string>, here: unknown): Promise<Answered> => {
  const response = await demo.ask(pathOf(name, input));
  const text = await response.text();
  const [there, shown] = [lengthOfPage(JSON.parse(text)), lengthOfPage(here)];
  if (there === null || shown === null || there <= shown || text.length < 10_000)
    return { isError: !response.ok, answer: unworded(JSON.parse(text)) };
  expect(shown).toBeGreaterThan(4);
  const again = await demo.ask(pathOf(name, { ...input, limit: String(shown) }));
  return { isError: !again.ok, answer: unworded(await again.json()) };
};

const lengthOfPage = (answer: unknown): number | null => {
  const { items, messages, steps } = answer as Readonly<Record<string, unknown>>; // answers are objects
  const page = [items, messages, steps].find((one) => Array.isArray(one));
  return page === undefined ? null : (page as readonly unknown[]).length; // found to be one just before
};

const inputsOf = (tool: string): readonly string[] =>
  Object.keys(toolsFor('operator').find(({ name }) => name === tool)?.inputSchema.properties ?? {});

/** A problem without its sentence, which is each door's own. */
const unworded = (answer: unknown): unknown => {
  if (typeof answer !== 'object' || answer === null || !('detail' in answer) || !('code' in answer)) return answer;
  expect(answer.detail).toEqual(expect.stringMatching(/\S/u));
  return answer.code;
};

describe('answers', () => {
  test.each(reads.map((operation) => [operation.name as OperationName, operation] as const))(
    '[MCP-3] [MCP-16] %s answers what HTTP answers, if one continues where it was cut',
    async (name, operation) => {
      const input = short(name, inputFor(operation));
      for (const era of ['2025', '2026'] as const) {
        const { isError, answer } = await answerAt(await connectTo(demo, { era }), name, input);
        expect({ isError, answer: unworded(answer) }).toEqual(await overHttp(name, input, answer));
        expect(isError || operation.output.safeParse(answer).success).toBe(true);
      }
    },
  );

  test('[MCP-3] whatever a query is asked, MCP and HTTP answer alike, refusals too', async () => {
    const connection = await connectTo(demo);
    const sessions = (await walk(demo, 'sessions')).map(({ session_id: id }) => id);
    const text = fc.oneof(
      fc.constantFrom(
        ...sessions.slice(0, 5),
        'MSG-1',
        'MSG-2#1',
        'MSG-999999',
        'main',
        'all',
        'human',
        'true',
        'maybe',
        '2025-08-06',
        '',
        'file',
        '12',
      ),
      fc.string(),
      fc.integer({ min: -5, max: 600 }).map(String),
    );
    // What an address cannot say is no question for HTTP.
    const spoken = text.filter((one) => !['', '.', '..'].includes(one));
    const names = reads.map(({ name }) => name as OperationName).filter((name) => name !== 'verify');
    const asked = fc.constantFrom(...names).chain((name) => {
      const { input, path }: Operation = REGISTRY[name];
      const fields = Object.keys(input.shape).map((key) => {
        const likely = fc.constantFrom(...(LIKELY[key] ?? sessions.slice(0, 5)));
        return [key, fc.oneof({ weight: 4, arbitrary: likely }, path.includes(`{${key}}`) ? spoken : text)] as const;
      });
      const requiredKeys = Object.keys(input.shape).filter((key) => path.includes(`{${key}}`));
      return fc.record({ name: fc.constant(name), input: fc.record(Object.fromEntries(fields), { requiredKeys }), isTyped: fc.boolean() });
    });
    let answered = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(asked, async ({ name, input, isTyped }) => {
        const { isError, answer } = await answerAt(connection, name, isTyped ? typed(name, input) : input);
        expect({ isError, answer: unworded(answer) }).toEqual(await overHttp(name, short(name, input), answer));
        if (!isError) answered += 1;
        else refused += 1;
      }),
    );
    expect(Math.min(answered, refused)).toBeGreaterThan(5);
  });

  test('[MCP-3] lists are pages: following the cursors gives every item once', async () => {
    const { whole } = await connectTo(demo);
    const messages: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = (await whole('messages', { id: first.id, limit: 7, ...(cursor === undefined ? {} : { cursor }) })) as OutputOf<'messages'>;
      messages.push(...page.messages);
      cursor = page.next_cursor;
    }
    expect(messages).toEqual(await walkMessages(demo, first.id));
    expect(messages.length).toBeGreaterThan(14);
  });

  test('[MCP-3] switches and numbers are JSON here, and texts are understood as well', async () => {
    const { whole, refusal } = await connectTo(secrets);
    const spelled = await whole('messages', { id: SECRET_SESSION, operations: 'false', limit: '50' });
    expect(await whole('messages', { id: SECRET_SESSION, operations: false, limit: 50 })).toEqual(spelled);
    expect(await whole('messages', { id: SECRET_SESSION, operations: true, limit: 50 })).not.toEqual(spelled);
    expect(await refusal('messages', { id: SECRET_SESSION, operations: 'perhaps' })).toMatchObject({ code: 'bad-request' });
  });

  test('[MCP-15] a page that is too long becomes a shorter one, and goes on by its own cursor', async () => {
    const { answer } = await connectTo(demo);
    const seen: unknown[] = [];
    const lengths = new Set<number>();
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = (await answer('more', { operation: 'log', input: cursor === undefined ? {} : { cursor } })) as OutputOf<'log'>;
      seen.push(...page.items.map(({ position }) => position));
      lengths.add(page.items.length);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual((await walk(demo, 'log')).map(({ position }) => position));
    expect([...lengths].some((length) => length > 5 && length < 20)).toBe(true);
  });

  test('[MCP-15] [MCP-16] a text of any length is reported in parts, each of which fits', async () => {
    const text = Array.from({ length: 9000 }, (_, i) => `${i} "é"`).join(' ');
    const long = await makeBoard({ files: { 'p/22222222-0000-4000-8000-000000000001.jsonl': [prompt('u0', null, 0, text)] } });
    const { answer, whole, refusal } = await connectTo(long);
    const listed = (await answer('read', { action: 'messages', id: '2222' })) as OutputOf<'messages'> & { readonly continue_cursor: string };
    expect(listed.messages[0]?.content).toMatch(/^0 "é" 1 [^]{290,300} … \[\+\d+ characters: continue at \S+\]$/u);
    expect(((await answer('read', { action: 'message', ref: 'MSG-1' })) as OutputOf<'message'>).content.length).toBeGreaterThan(3000);
    expect(await whole('read', { action: 'messages', id: '2222' })).toMatchObject({ messages: [{ content: text }] });
    expect(await whole('read', { action: 'message', ref: 'MSG-1' })).toMatchObject({ content: text });
    const cursor = listed.continue_cursor;
    expect(await refusal('continue', { cursor })).toEqual({ code: 'bad-request', detail: 'at is missing' });
    expect(await refusal('continue', { cursor, at: 'there' })).toEqual({
      code: 'bad-request',
      detail: '"there" is not a place in an answer; copy at from where the answer was cut',
    });
    expect(await refusal('continue', { cursor, at: '0.0:1~abcdef' })).toMatchObject({ code: 'changed-since' });
    expect(await refusal('continue', { cursor: 'nonsense', at: '0:1~abcdef' })).toMatchObject({ code: 'bad-request' });
  });

  test('[MCP-16] nothing is changed by continuing: a cursor for a command is refused', async () => {
    const { refusal } = await connectTo(demo, { token: demo.token });
    const forged = Buffer.from(JSON.stringify({ operation: 'stop', given: {} })).toString('base64url');
    expect(await refusal('continue', { cursor: forged, at: ':0~abcdef' })).toMatchObject({ code: 'bad-request' });
  });

  test('[MCP-15] a command that did much tells what fits, and where the rest is', async () => {
    const { answer } = await connectTo(demo, { token: demo.token });
    const done = (await answer('talk', { action: 'say', sidebar_id: 'SB-2', content: 'x'.repeat(5000) })) as OutputOf<'chat_message'> & {
      readonly whole: string;
    };
    expect(done.events[0]).toMatchObject({ type: 'chat_message', content: `${'x'.repeat(300)} … [+4700 characters]` });
    expect(done.whole).toBe(`more {operation: "log", input: {after: ${done.seq - 1}}}`);
    expect(JSON.stringify(await answer('more', { operation: 'log', input: { after: done.seq - 1 } }))).toContain('x'.repeat(200));
  });
});

describe('refusals', () => {
  test('[MCP-4] bad input names the field and what is wrong with it', async () => {
    const { refusal } = await connectTo(demo, { token: demo.token });
    const cases: readonly [OperationName, Record<string, unknown>, RegExp][] = [
      ['sessions', { limit: 501 }, /^limit must be at most 500$/u],
      ['sessions', { limit: 0, since: 'yesterday' }, /^since must .*; limit must |^limit must .*; since must /u],
      ['session', {}, /^id is missing \(a session id, or its first characters\)$/u],
      ['session', { id: '' }, /^id must be at least 1 character long$/u],
      ['session', { id: 7 }, /^id must be text \(a session id, or its first characters\)$/u],
      ['session', { id: null }, /^id must be text \(a session id, or its first characters\)$/u],
      ['search', { q: 'x', actor: 'nobody' }, /^actor must be one of /u],
      ['search', { q: 'x', words: 'y' }, /^there is no input "words"; it takes q, /u],
      ['status', { x: 1 }, /^there is no input "x"; it takes none$/u],
      ['import', { paths: [] }, /^paths must be at least 1 item long$/u],
      ['import', { paths: ['', 3] }, /^paths\.0 must .*; paths\.1 must /u],
      ['import', { paths: ['relative'] }, /"relative" is not an absolute path/u],
    ];
    for (const [name, input, told] of cases) {
      const { code, detail } = await refusal(name, input);
      expect(code, `${name} ${JSON.stringify(input)}`).toBe('bad-request');
      expect(detail).toMatch(told);
    }
  });

  test('[MCP-4] whatever a tool is given, a refusal says what is wrong in our words, and names no route', async () => {
    const { client } = await connectTo(demo, { token: demo.token });
    const names = ['more', 'continue', ...Object.keys(TOOLS).filter((name) => !['claude', 'administer', 'manage_agents'].includes(name))];
    const inputs = [...new Set(names.flatMap((name) => inputsOf(name)))];
    const anything = fc.oneof(
      fc.constantFrom<unknown>(null, '', 'SB-1', 'MSG-1', 0, -1, 1.5, true, [], [null], {}, { a: 1 }, 'x'.repeat(600), [['x']]),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const asked = fc.record({
      name: fc.constantFrom(...names),
      action: fc.oneof({ weight: 8, arbitrary: fc.nat() }, fc.constant(null)),
      given: fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...inputs) }, fc.constantFrom('nonsense', '__proto__')), anything, {
        maxKeys: 4,
      }),
    });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(asked, async ({ name, action, given }) => {
        const actions = isTool(name) ? Object.keys(TOOLS[name].actions) : [];
        const chosen = action === null || actions.length < 2 ? {} : { action: actions[action % actions.length] };
        const { content, isError } = await client.callTool({ name, arguments: { ...given, ...chosen } });
        const [first] = content;
        const text = first?.type === 'text' ? first.text : '';
        if (isError !== true) return;
        refused += 1;
        expect(text).toMatch(/^[a-z-]+: \S/u);
        expect(text).not.toMatch(/expected|received|Invalid|Too (?:small|big)|Unrecognized|undefined|\/api\/|\b(?:GET|POST)\b|^internal/u);
      }),
    );
    expect(refused).toBeGreaterThan(10);
    expect(demo.faults).toEqual([]);
  });

  test('[MCP-4] what is not there is told as HTTP tells it', async () => {
    const { refusal } = await connectTo(demo);
    expect(await refusal('session', { id: 'nowhere' })).toMatchObject({ code: 'not-found' });
    expect(await refusal('message', { ref: 'MSG-999999' })).toMatchObject({ code: 'not-found' });
    expect(await refusal('sessions', { cursor: 'no cursor' })).toMatchObject({ code: 'bad-request' });
  });

  test('[MCP-4] a tool that does not exist is an error of the protocol that names those that do', async () => {
    const { client } = await connectTo(demo);
    for (const name of ['no_such_tool', 'toString', '__proto__', ''])
      await expect(client.callTool({ name }), `for ${name}`).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining('there are search, sessions') as string,
      });
  });

  test('[MCP-4] a refusal does not give away what it was asked with', async () => {
    const { refusal } = await connectTo(demo);
    expect(JSON.stringify(await refusal('session', { id: KEY }))).not.toContain(KEY);
  });
});

describe('secrets', () => {
  const ask = { id: SECRET_SESSION, ref: 'MSG-1', q: 'use', path: EDITED };
  const given = ({ input }: Operation) => Object.fromEntries(Object.entries(ask).filter(([key]) => key in input.shape));

  test('[MCP-3] no tool shows one, with a token or without', async () => {
    for (const token of [undefined, secrets.token]) {
      const { client } = await connectTo(secrets, token === undefined ? {} : { token });
      let masked = 0;
      for (const operation of reads) {
        const said = JSON.stringify(await client.callTool({ name: operation.name, arguments: given(operation) }));
        for (const secret of [KEY, KEY.slice(14), PASSWORD]) expect(said, `for ${operation.name}`).not.toContain(secret);
        if (said.includes('[masked ')) masked += 1;
      }
      expect(masked).toBeGreaterThan(5);
    }
  });

  test('[MCP-5] only the operator sees one, and only when asked to', async () => {
    const [anyone, operator] = [await connectTo(secrets), await connectTo(secrets, { token: secrets.token })];
    // Media have their secrets in the bytes of files (SEC-29).
    const revealing = reads.filter(({ name, input }) => 'reveal' in input.shape && name !== 'media');
    expect(revealing.length).toBeGreaterThan(4);
    for (const operation of revealing) {
      const input = { ...given(operation), reveal: true };
      expect(await anyone.refusal(operation.name, input)).toMatchObject({ code: 'operator-only' });
      expect(JSON.stringify(await operator.answer(operation.name, input)), `for ${operation.name}`).toContain(KEY);
    }
  });
});
