import { createHash } from 'node:crypto';
import { REGISTRY, type Operation, type OperationName } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBoard, pathOf, walk, walkMessages, type Input, type TestBoard } from './boards.ts';
import { FURNITURE, furnish } from './board/furniture.ts';
import { prompt, reply, result, use } from './records.ts';

// Put together here, so that no scanner takes this file for a leak.
const KEY = ['sk', 'ant', 'api03', 'Zq7Wm2Kx9Lp4Vt8Rb3Nc6Yd1Hf5Jg0'].join('-');
const GITHUB = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
const PASSWORD = 'tr0ub4dorXq9Lm2';
const ODD = 'q8Zr5Kw2Vn7Tb4Xc9M';
const BODY = Array.from({ length: 400 }, (_, i) => `${'MIIEvQ'.repeat(8)}Abcdef${'qwertz'.repeat(1)}Line${String(i).padStart(4, 'x')}`);
const PRIVATE = ['-----BEGIN RSA PRIVATE KEY-----', ...BODY, '-----END RSA PRIVATE KEY-----'].join('\n');
const HIDDEN = `\\u0073${KEY.slice(1)}`;
/** What nobody may get, in any spelling; each long enough to be no accident. */
const SECRETS = [
  KEY,
  KEY.slice(14),
  GITHUB,
  GITHUB.slice(4),
  PASSWORD,
  ODD,
  KEY.toLowerCase().slice(14),
  ODD.toLowerCase(),
  BODY[0] ?? '',
  BODY[200] ?? '',
  HIDDEN,
];

const SESSION = '11111111-0000-4000-8000-000000000001';
const AGENT = 'a0000001';

let board: TestBoard;
beforeAll(async () => {
  const titled = (type: string, key: string, text: string) => ({ type, [key]: text, sessionId: SESSION });
  board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('u1', null, 0, `use the key ${KEY} please`, { cwd: `/home/ada/${GITHUB}`, gitBranch: GITHUB }),
        reply('u2', 'u1', 1, [
          { type: 'text', text: `I will use ${KEY} and ${GITHUB}` },
          { type: 'thinking', thinking: `the key is ${KEY}` },
          use('t1', 'Bash', { command: `curl -H "x-api-key: ${KEY}" https://ada:${PASSWORD}@example.com`, password: ODD, [KEY]: 'as a key' }),
          use('t2', `mcp__${KEY}`, { token: ODD }),
          use(KEY, 'Task', { prompt: `dig with ${KEY}`, ['subagent_type']: GITHUB }),
        ]),
        { ...result('u3', 'u2', 2, 't1', `saved ${PRIVATE}`), toolUseResult: { stdout: PRIVATE, apiKey: ODD } },
        result('u4', 'u3', 3, 't2', [{ type: 'text', text: `${KEY}\n${GITHUB}` }], { isError: true }),
        // A uuid, a model, a version, an agent: nothing is too small to carry one.
        reply(GITHUB, 'u4', 4, 'named like a secret', { version: KEY, requestId: KEY }),
        {
          ...reply('u5', GITHUB, 5, 'by an unknown model'),
          message: { role: 'assistant', id: KEY, model: KEY, content: 'by an unknown model', usage: { ['output_tokens']: 3 } },
        },
        titled('custom-title', 'customTitle', `How I lost ${KEY}`),
        titled('summary', 'summary', `About ${GITHUB}`),
        { type: KEY, text: KEY, note: { password: ODD } },
        { type: 'system', subtype: KEY, uuid: 'u6', parentUuid: 'u5', content: KEY, timestamp: '2025-08-06T10:00:09Z' },
        `{"type":"user","uuid":"u7","parentUuid":"u6","message":{"content":"escaped ${HIDDEN} here"}}`,
        // Left alone by the reader, as too deep; and on the log all the same.
        `{"type":"user","deep":${'['.repeat(20_000)}"${HIDDEN} ${KEY}"${']'.repeat(20_000)}}`,
        `{"type":"user" broken ${KEY} ${HIDDEN} and password = "${ODD}"`,
        prompt('u8', 'u7', 20, `marker ${'filler '.repeat(2000)}${KEY} ${'filler '.repeat(2000)} marker`),
        reply('u9', 'nowhere', 21, `${KEY} `.repeat(400)),
      ],
      [`-p/${SESSION}/subagents/agent-${AGENT}.jsonl`]: [
        prompt('x1', null, 5, `dig with ${KEY}`, { isSidechain: true, agentId: AGENT }),
        {
          ...reply('x2', 'x1', 6, '', { isSidechain: true, agentId: AGENT }),
          message: { role: 'assistant', content: [use('t9', 'Read', { ['file_path']: `/etc/${GITHUB}` })], usage: { ['output_tokens']: 3 } },
        },
      ],
      [`-p/${SESSION}/subagents/agent-${AGENT}.meta.json`]: [{ agentType: GITHUB, toolUseId: KEY, description: KEY }],
      [`-p/${SESSION}/tool-results/t1.txt`]: [`the whole output: ${KEY}`, PRIVATE],
      [`-p/${KEY}.jsonl`]: [prompt('y1', null, 30, 'a session named like a key', { sessionId: KEY })],
      '-p/11111111-0000-4000-8000-000000000002.jsonl': Buffer.concat([
        Buffer.from(`{"type":"user","message":"`),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(` ${KEY}"}\n`),
      ]),
    },
  });
});

const leaksIn = (text: string): readonly string[] =>
  SECRETS.filter((secret) => text.includes(secret) || Buffer.from(text).toString('base64').includes(secret));

/** Every read there is, with every session, thread, reference and page. */
const everyRead = async (): Promise<readonly (readonly [OperationName, Input])[]> => {
  const sessions = [SESSION, '11111111-0000-4000-8000-000000000002', KEY];
  const reads: [OperationName, Input][] = [];
  for (const { name, method, input } of Object.values<Operation>(REGISTRY)) {
    if (method !== 'GET') continue;
    const key = name as OperationName;
    const { shape } = input;
    if ('id' in shape)
      for (const id of sessions)
        for (const thread of 'thread' in shape ? ['main', 'all', AGENT] : [undefined])
          reads.push([key, { id, thread, limit: 'limit' in shape ? 500 : undefined }]);
    else if ('ref' in shape) {
      const refs = Array.from({ length: 12 }, (_, i) => `MSG-${i + 1}`);
      for (const ref of [
        ...refs,
        'EXCH-1',
        ...(key === 'message' ? ['u2_tool_0', 'u2_tool_1', 'u2_tool_2', 'u2_result_0', 'u2_result_1', 'u7', GITHUB] : []),
      ])
        reads.push([key, { ref }]);
    } else if ('q' in shape)
      for (const q of [
        'key',
        'marker',
        'api03',
        'use',
        KEY,
        `"${KEY}"`,
        'sk*',
        GITHUB,
        `${ODD.slice(0, 8)}*`,
        'MIIEvQ*',
        'MIIEvQMIIEvQ',
        'qwertzLine',
        'Abcdef',
        PASSWORD.slice(1),
        'lost',
        'escaped',
        'output',
      ])
        reads.push([key, { q, limit: 500 }]);
    else reads.push([key, 'limit' in shape ? { limit: 500 } : {}]);
  }
  return reads;
};

describe('what goes out', () => {
  test('[SEC-11] no secret of a transcript leaves by any route', async () => {
    const reads = await everyRead();
    expect(reads.length).toBeGreaterThan(60);
    let masked = 0;
    for (const [name, input] of reads) {
      const response = await board.ask(pathOf(name, input));
      const text = await response.text();
      expect(leaksIn(text), `${name} ${JSON.stringify(input)} (${response.status})`).toEqual([]);
      expect(response.status, `for ${text}`).toBeLessThan(500);
      if (text.includes('[masked ')) masked += 1;
    }
    expect(masked).toBeGreaterThan(40);
    for (const path of ['/', '/healthz', '/metrics', '/api/openapi.json']) expect(leaksIn(await (await board.ask(path)).text())).toEqual([]);
    expect(board.faults).toEqual([]);
  });

  test('[SEC-11] problems do not tell either', async () => {
    const details = await Promise.all(
      [
        `/api/v1/sessions/${KEY}x`,
        `/api/v1/sessions/1111`,
        `/api/v1/sessions/sk/messages?thread=x`,
        `/api/v1/messages/${GITHUB}_tool_0`,
        `/api/v1/sessions/${SESSION}/messages?thread=x`,
      ].map((path) => board.problem(path)),
    );
    for (const problem of details) expect(leaksIn(JSON.stringify(problem))).toEqual([]);
  });

  test('[SEC-11] the operator sees everything as it was written, if he asks to', async () => {
    const [first] = (await board.command('messages', { id: SESSION, reveal: true, operations: false })).messages;
    expect(first?.content).toBe(`use the key ${KEY} please`);
    expect((await board.command('messages', { id: SESSION, operations: false })).messages[0]?.content).toContain('[masked anthropic-key');
    const log = await board.command('log', { limit: 500, reveal: true });
    expect(log.items.some(({ raw_content: raw }) => raw?.includes(HIDDEN))).toBe(true);
    expect(log.items.some(({ raw_content: raw }) => raw?.includes(PRIVATE))).toBe(true);
    expect(log.items.some(({ raw_content: raw }) => raw?.startsWith('base64:') && Buffer.from(raw.slice(7), 'base64').includes(KEY))).toBe(true);
    const found = await board.command('search', { q: KEY, reveal: true });
    expect(found.items.length).toBeGreaterThan(3);
    expect(found.items.every(({ snippet, highlights }) => highlights.every(({ from, to }) => snippet.slice(from, to) === KEY))).toBe(true);
    expect((await board.command('operations', { id: SESSION, reveal: true })).items[0]?.summary).toContain(KEY);
    expect((await board.command('reference', { ref: 'MSG-1', reveal: true })).message?.content).toContain(KEY);
  });

  test('[SEC-11] masking never changes what is stored', async () => {
    expect((await board.get('verify')).is_whole).toBe(true);
    expect((await board.get('verify')).payloads).toBeGreaterThan(10);
  });

  test('[SEC-11] a secret cannot be found out by asking whether it is there', async () => {
    for (const guess of [
      KEY,
      `"${KEY}"`,
      `${KEY.slice(14, 20)}*`,
      `${ODD.slice(0, 4)}*`,
      ODD,
      GITHUB.slice(4),
      `use ${KEY.slice(14, 20)}*`,
      'MIIEvQMIIEvQMIIEvQ*',
    ]) {
      expect({ guess, found: (await walk(board, 'search', { q: guess })).map(({ snippet }) => snippet) }).toEqual({ guess, found: [] });
    }
    // Nor from what is suggested instead.
    for (const near of ['abcdefqwertzline', 'MIIEvQMIIEvQMIIEvQMIIEvQMIIEvQMIIEvQMIIEvQMIIEvQAbcdefqwertzLin', 'tr0ub4dorxq9lm']) {
      const { corrected } = await board.get('search', { q: near });
      expect(leaksIn(JSON.stringify(corrected))).toEqual([]);
      expect(JSON.stringify(corrected)).not.toMatch(/miievq.*miievq/iu);
    }
  });

  test('[SEC-11] cursors, hashes and references come as they are', async () => {
    const all = await walk(board, 'log', { limit: 3 });
    expect(all.length).toBe((await board.get('stats')).totals.entries);
    for (const entry of all)
      expect([entry.checksum, entry.inner_hash, entry.payload_hash ?? entry.checksum].every((hash) => /^[0-9a-f]{64}$/u.test(hash))).toBe(true);
    expect((await walk(board, 'sessions', { limit: 1 })).length).toBe(3);
  });
});

describe('what is found', () => {
  test('[FIND-11] highlights are places in the snippet where the words stand', async () => {
    let places = 0;
    for (const [q, pattern] of [
      ['will', /^will$/iu],
      ['unknown model', /^(?:unknown|model)$/iu],
      ['"unknown model"', /^unknown model$/iu],
      ['mod*', /^mod/iu],
      ['unknwon', /^unknown$/iu],
    ] as const) {
      const { items } = await board.get('search', { q });
      expect(items.length, `for ${q}`).toBeGreaterThan(0);
      for (const { snippet, highlights } of items) {
        for (const { from, to } of highlights) {
          expect(snippet.slice(from, to)).toMatch(pattern);
          places += 1;
        }
        expect(highlights.length).toBeGreaterThan(0);
      }
    }
    expect(places).toBeGreaterThan(5);
    expect((await board.get('search', { q: 'unknwon' })).corrected).toEqual([{ word: 'unknwon', instead: ['unknown'] }]);
  });

  test('[API-4] a hit says where it stands: reference, uuid, session, project, agent, time', async () => {
    const { items } = await board.get('search', { q: 'unknown model' });
    const [hit] = items;
    const message = await board.get('message', { ref: hit?.ref ?? '' });
    expect(hit).toMatchObject({
      uuid: message.uuid,
      position: message.position,
      session_id: SESSION,
      agent_id: null,
      type: 'assistant',
      actor: 'agent',
      timestamp: message.timestamp,
    });
    const [inside] = (await board.get('search', { q: 'dig', agent: AGENT })).items;
    expect(inside).toMatchObject({ agent_id: AGENT, session_id: SESSION });
  });

  test('[API-4] filters go through', async () => {
    const count = async (input: Input): Promise<number> => (await walk(board, 'search', { q: 'use', ...input })).length;
    expect(await count({})).toBeGreaterThan(0);
    expect(await count({ session: '11111111-0000-4000-8000-000000000002' })).toBe(0);
    expect(await count({ actor: 'human' })).toBeGreaterThan(0);
    expect(await count({ since: '2025-08-07' })).toBe(0);
    expect(await count({ until: '2025-08-05' })).toBe(0);
    expect(await count({ project: '/nowhere' })).toBe(0);
    expect(await count({ has_error: true, q: 'named' })).toBe(0);
    // FIND-30: a mask is found by what it shows.
    expect(await count({ has_error: true, q: '"masked github-token"' })).toBeGreaterThan(0);
    expect(await count({ min_cost_usd: 1000 })).toBe(0);
    expect((await walkMessages(board, SESSION, { thread: AGENT })).length).toBe(3);
  });
});

test('[SEC-15] no answer of any operation tells the hash of a token, to nobody and not to the operator', async () => {
  const open = await makeBoard({});
  const { token } = await furnish(open);
  const hashes = [token, open.token].map((one) => createHash('sha256').update(one).digest('hex'));
  const refs = ['AGENT-research', 'SB-1', 'MSG-1', 'GOLD-1'];
  const { items } = await open.get('log', { after: 0, limit: 100 });
  const asked: string[] = [];
  for (const [name, { method, path }] of Object.entries(REGISTRY) as [OperationName, Operation][]) {
    if (method !== 'GET') continue;
    const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, key = '']) => key);
    const values = names.length === 0 ? [''] : [...refs, ...Object.values(FURNITURE), ...items.map(({ uuid }) => uuid)];
    for (const value of values) {
      for (const headers of [{}, { authorization: `Bearer ${open.token}` }]) {
        const query = name === 'log' ? '?limit=100&reveal=true' : name === 'search' ? '?q=research' : '';
        const response = await open.ask(
          `/api/v1${path.replaceAll(/\{\w+\}/gu, encodeURIComponent(value))}${'authorization' in headers ? query : query.replace('&reveal=true', '')}`,
          { headers },
        );
        const text = await response.text();
        for (const hash of hashes) expect([name, value, text.includes(hash)]).toEqual([name, value, false]);
        if (response.status === 200) asked.push(name);
      }
    }
  }
  expect(new Set(asked).size).toBeGreaterThan(15);
  expect(asked).toContain('log');
});
