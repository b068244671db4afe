import fc from 'fast-check';
import { REGISTRY, type Operation, type OperationName } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonText } from '@yarnboard/transcript';
import { makeBoard, pathOf, walk, walkMessages, type TestBoard } from '../../operations/boards.ts';
import { prompt, reply, result, type Fields } from '../../operations/records.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';
// The reader of transcripts leaves lines alone that are deeper than 512.
const DEEP = 240;
const nested = (open: string, inside: string, close: string): string => open.repeat(DEEP) + inside + close.repeat(DEEP);
const HTML = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&</style>';
const ESCAPES = '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \b\u0000 \u2028 \u202e \ud800 \r';
const LONG = `${'long '.repeat(400_000)}end`;

let board: TestBoard;
beforeAll(async () => {
  const line = (uuid: string, type: string, message: string): string => `{"type":"${type}","uuid":"${uuid}","parentUuid":"u1","message":${message}}`;
  board = await makeBoard({
    files: {
      [`-p/${SESSION}.jsonl`]: [
        prompt('u1', null, 0, HTML, { cwd: HTML }),
        prompt('u2', 'u1', 1, ESCAPES),
        prompt('u3', 'u2', 2, LONG),
        `{"type":"user","uuid":"u4","parentUuid":"u3","__proto__":{"isSidechain":true,"polluted":1},"constructor":{"prototype":{"x":1}},"message":{"content":"proto","__proto__":{"a":1}}}`,
        reply('u5', 'u4', 5, [JSON.parse('{"type":"tool_use","id":"t1","name":"__proto__","input":{"__proto__":{"a":1},"toString":1}}') as Fields]),
        result('u6', 'u5', 6, 't1', HTML),
        line('d1', 'user', `{"content":${nested('[', '"deep"', ']')}}`),
        line('d2', 'assistant', `{"content":[{"type":"tool_use","id":"t2","name":"Deep","input":${nested('{"a":', '1', '}')}}]}`),
        line(
          'd3',
          'user',
          `{"content":[{"type":"tool_result","tool_use_id":"t2","content":${nested('[{"type":"tool_result","content":', '"x"', '}]')}}]}`,
        ),
        line('d4', 'assistant', `{"content":${nested('[{"type":"text","text":', '"x"', '}]')}}`),
        line('w1', 'user', '{"content":[null,1,true,[],{},{"type":null},{"type":"text"},{"type":"text","text":5},{"type":"tool_result"},"plain"]}'),
        line(
          'w2',
          'assistant',
          '{"content":[{"type":"tool_use"},{"type":"tool_use","id":5,"name":[],"input":"text"},{"type":"tool_use","id":"","name":"","input":null}]}',
        ),
        line('w3', 'assistant', '5'),
        line('w4', 'user', 'null'),
        line('w5', 'assistant', '{"content":{"type":"tool_use"},"usage":{"input_tokens":-5,"output_tokens":1e300},"model":""}'),
        `{"type":"user","uuid":"${'u'.repeat(3000)}","parentUuid":"${'p'.repeat(9000)}","message":{"content":"long names"}}`,
        `{"type":"user","uuid":"a/b?c#d%20e \\u0000","parentUuid":null,"message":{"content":"awkward name"},"timestamp":"9999-12-31T23:59:59Z"}`,
        `{"type":"user","uuid":"loop","parentUuid":"loop","message":{"content":"its own parent"},"timestamp":"not a time"}`,
        '[]',
        line('deeper', 'user', `{"content":${'['.repeat(20_000)}"deeper"${']'.repeat(20_000)}}`),
        '{"type":',
        '"text"',
        '',
      ],
    },
  });
});

describe('what transcripts hold', () => {
  test('[API-4] everything comes through as data, and nothing breaks an answer', async () => {
    const messages = await walkMessages(board, SESSION, { thread: 'all', limit: 500 });
    const byUuid = new Map(messages.map((message) => [message.uuid, message]));
    expect(byUuid.get('u1')?.content).toBe(HTML);
    expect(byUuid.get('u2')?.content).toBe(ESCAPES);
    expect(byUuid.get('u3')?.content).toBe(LONG);
    expect(byUuid.get('u6')?.content).toContain('<script>');
    for (const uuid of ['d1', 'd2', 'd3', 'd4', 'w1', 'w2', 'w3', 'w4', 'w5', 'loop']) expect(byUuid.has(uuid), `for ${uuid}`).toBe(true);
    expect(new Set(messages.map(({ uuid }) => uuid)).size).toBe(messages.length);
    for (const limit of [1, 7])
      expect((await walkMessages(board, SESSION, { thread: 'all', limit })).map(({ uuid }) => uuid)).toEqual(messages.map(({ uuid }) => uuid));
    expect(board.faults).toEqual([]);
  });

  test('[API-2] keys of others stay what they are: __proto__ is a key, and sets nothing', async () => {
    const response = await board.ask('/api/v1/messages/u4');
    const text = await response.text();
    expect(text).toContain('"__proto__":{"isSidechain":true,"polluted":1}');
    expect(text).toContain('"constructor":{"prototype":{"x":1}}');
    expect((JSON.parse(text) as { isSidechain: boolean }).isSidechain).toBe(false);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect((await board.get('message', { ref: 'u5_tool_0' })).content).toBe(
      '{"type":"tool_use","name":"__proto__","input":{"__proto__":{"a":1},"toString":1}}',
    );
  });

  test('[API-4] records that are nested deeply are shown whole, and lines that are nested deeper than that as the lines they are', async () => {
    for (const [uuid, bit] of [
      ['d1', nested('[', '"deep"', ']')],
      ['d2', nested('{"a":', '1', '}')],
      ['d3', nested('[{"type":"tool_result","content":', '"x"', '}]')],
      ['d4', nested('[{"type":"text","text":', '"x"', '}]')],
    ] as const) {
      const text = await (await board.ask(`/api/v1/messages/${uuid}`)).text();
      expect(text.includes(bit), `for ${uuid}`).toBe(true);
    }
    const used = await (await board.ask('/api/v1/messages/d2_tool_0')).text();
    expect(used.includes(JSON.stringify(nested('{"a":', '1', '}')).slice(1, -1))).toBe(true);
    expect((await walk(board, 'operations', { id: SESSION })).find(({ uuid }) => uuid === 'd2_tool_0')).toMatchObject({
      name: 'Deep',
      result_uuid: 'd2_result_0',
    });
    const raw = (await walk(board, 'log', { limit: 500 })).map(({ raw_content: content, note }) => [note, content] as const);
    expect(raw.filter(([note, content]) => note === 'too deep' && content?.includes('"deeper"')).length).toBe(1);
  });

  test('[API-4] any JSON is written as JSON.stringify would', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 3 }), (value, extra) => {
        const deep = Array.from({ length: 6000 + extra }).reduce<unknown>((inside) => [inside], value);
        expect(jsonText(value)).toBe(JSON.stringify(value));
        expect(jsonText(deep)).toBe('['.repeat(6000 + extra) + JSON.stringify(value) + ']'.repeat(6000 + extra));
      }),
      { numRuns: 20 },
    );
    expect(jsonText({ a: undefined, b: [undefined, Array.from({ length: 6000 }).reduce<unknown>((inside) => ({ x: inside }), 1)] })).toMatch(
      /^\{"b":\[null,\{"x":/u,
    );
  });

  test('[API-7] awkward names are found when they are written as they should be in an address', async () => {
    expect((await board.get('message', { ref: 'a/b?c#d%20e \0' })).content).toBe('awkward name');
    expect((await board.get('message', { ref: 'u'.repeat(3000) })).raw_parent_uuid).toBe('p'.repeat(9000));
    expect((await board.get('search', { q: 'awkward' })).items).toHaveLength(1);
  });

  test('[API-9] the pages that people open show nothing of it as markup', async () => {
    const html = await (await board.ask('/')).text();
    expect(html).not.toContain('<script>alert');
    expect(await (await board.ask('/metrics')).text()).not.toContain('alert');
  });
});

const junk = [
  '',
  '%00',
  '%',
  '%E0%A4%A',
  '%ff',
  '..',
  '%2e%2e',
  '%2F',
  '..%2f..%2fetc%2fpasswd',
  'a'.repeat(5000),
  "'",
  '"',
  '`',
  '%0d%0aset-cookie:x',
  '💥',
  '*',
  '{id}',
  ':id',
  'null',
  'undefined',
  '-1',
  '0',
  '1e999',
  'NaN',
  '__proto__',
  'constructor',
  '%20',
];
const numbers = ['0', '501', 'x', '', '-1', '1.5', '1e3', '9'.repeat(400), 'NaN', 'Infinity', '%00', '1;drop', '0x1FF', 'null', '[]', ' '];
const moments = [
  'x',
  '',
  '0',
  '2025',
  '2025-13-01',
  '2025-02-30',
  '2025-01-01T25:00:00Z',
  '2025-01-01T00:00:00',
  '99999-01-01',
  '2025-01-01T00:00:00%2B99:99',
  '-000001-01-01',
];

describe('what is asked', () => {
  const reads = Object.values<Operation>(REGISTRY).filter(({ method, who }) => method === 'GET' && who === 'anyone');
  const expectNoFault = async (path: string): Promise<void> => {
    const response = await board.ask(path);
    expect(response.status, `for ${path}`).toBeLessThan(500);
    if (response.status !== 200)
      expect((await response.json()) as object, `for ${path}`).toMatchObject({
        status: response.status,
        detail: expect.stringMatching(/\S/u) as string,
      });
  };

  test('[API-7] no id, reference or query, however odd, is more than a problem document', async () => {
    for (const { path, input } of reads) {
      for (const odd of junk) {
        if (path.includes('{')) await expectNoFault(`/api/v1${path.replaceAll(/\{\w+\}/gu, odd)}`);
        for (const key of Object.keys(input.shape)) {
          if (path.includes(`{${key}}`)) continue;
          await expectNoFault(`/api/v1${path.replaceAll(/\{\w+\}/gu, SESSION)}?${key}=${odd}${'q' in input.shape && key !== 'q' ? '&q=x' : ''}`);
        }
      }
    }
    expect(board.faults).toEqual([]);
  });

  test('[API-7] numbers, moments and switches that are none are refused, by name', async () => {
    for (const { path, name, input } of reads) {
      const base = `/api/v1${path
        .replaceAll('{id}', SESSION)
        .replaceAll('{ref}', 'MSG-1')
        .replaceAll(/\{\w+\}/gu, 'x')}?${'q' in input.shape ? 'q=x&' : ''}${'text' in input.shape ? 'text=x&' : ''}`;
      const refusal = async (key: string, value: string): Promise<void> => {
        const problem = await board.problem(`${base}${key}=${value}`);
        expect(problem, `${name} ${key}=${value}`).toMatchObject({ status: 400, code: 'bad-request' });
        expect(problem.detail).toContain(key === 'since' || key === 'until' ? '' : key);
      };
      if ('limit' in input.shape) for (const value of numbers) if (value !== '0x1FF' && value !== '1e3') await refusal('limit', value);
      if ('after' in input.shape) for (const value of ['x', '-1', '1.5', '9'.repeat(400)]) await refusal('after', value);
      if ('since' in input.shape) for (const value of moments) for (const key of ['since', 'until']) await refusal(key, value);
      for (const key of ['reveal', 'operations', 'has_error'])
        if (key in input.shape) for (const value of ['maybe', '', '2', '%00']) await refusal(key, value);
    }
  });

  test('[API-7] a parameter that is none is refused and those that are are named; none is taken from what all objects have', async () => {
    for (const { path, input } of reads) {
      const base = `/api/v1${path
        .replaceAll('{id}', SESSION)
        .replaceAll('{ref}', 'MSG-1')
        .replaceAll(/\{\w+\}/gu, 'x')}?${'q' in input.shape ? 'q=x&' : ''}${'text' in input.shape ? 'text=x&' : ''}`;
      for (const key of [
        'toString',
        '__proto__',
        'constructor',
        'hasOwnProperty',
        'LIMIT',
        'limit[]',
        'x',
        ...(path.includes('{id}') ? ['id'] : []),
      ]) {
        const problem = await board.problem(`${base}${encodeURIComponent(key)}=1`);
        expect(problem, `${path} ${key}`).toMatchObject({ status: 400, code: 'bad-request' });
        for (const known of Object.keys(input.shape).filter((one) => !path.includes(`{${one}}`))) expect(problem.detail).toContain(known);
      }
    }
  });

  test('[API-7] any text at all can be asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<OperationName>('search', 'message', 'reference', 'session', 'messages'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
        async (name, text) => {
          // What cannot be written in an address cannot be asked for.
          fc.pre(!/\p{Cs}/u.test(text));
          await expectNoFault(pathOf(name, { q: text, ref: text, id: text }).replace(/\?(?:ref|id)=.*$/u, ''));
        },
      ),
    );
    for (const q of [
      '"',
      '""',
      '*',
      '-',
      '--',
      '-x',
      'NEAR(',
      'a AND',
      'x:y',
      '(',
      '^',
      '+',
      '\\',
      'a'.repeat(4096),
      'a '.repeat(2000),
      '"'.repeat(999),
      '你好',
      '%',
      '_',
    ])
      await expectNoFault(`/api/v1/search?q=${encodeURIComponent(q)}`);
    expect(await board.problem(`/api/v1/search?q=${'a'.repeat(4097)}`)).toMatchObject({ status: 400 });
    expect(board.faults).toEqual([]);
  });
});

describe('what is sent', () => {
  const commands = Object.values<Operation>(REGISTRY).filter(({ method, name }) => method === 'POST' && name !== 'stop');
  const send = (path: string, body: NonNullable<RequestInit['body']>, more: RequestInit = {}) =>
    board.problem(`/api/v1${path}`, { method: 'POST', body, ...more, headers: { authorization: `Bearer ${board.token}` } });

  test('[API-7] a body that is no JSON object is refused', async () => {
    for (const { path } of commands) {
      for (const body of [
        '[]',
        'null',
        '5',
        '"text"',
        '{',
        '{"a":1}}',
        '\ufeff{}',
        '\0',
        'true',
        '{"paths": undefined}',
        '[]'.repeat(1000),
        new Uint8Array([0xff, 0xfe]),
      ]) {
        expect(await send(path, body), `${path} ${String(body).slice(0, 20)}`).toMatchObject({ status: 400, code: 'bad-request' });
      }
    }
  });

  test('[API-7] fields that are missing, wrong or unknown are refused, by name', async () => {
    for (const [path, body, named] of [
      ['/import', {}, 'paths'],
      ['/import', { paths: [] }, 'paths'],
      ['/import', { paths: 'x' }, 'paths'],
      ['/import', { paths: [''] }, 'paths'],
      ['/import', { paths: [5] }, 'paths'],
      ['/import', { paths: Array.from({ length: 1001 }, () => '/x') }, 'paths'],
      ['/import', { paths: ['/x'], more: 1 }, 'more'],
      ['/import', { paths: ['relative'] }, 'relative'],
      ['/forget', {}, 'ref'],
      ['/forget', { ref: '' }, 'ref'],
      ['/forget', { ref: 'MSG-1', toString: 1 }, 'toString'],
      ['/rebuild', { session: 5 }, 'session'],
      ['/repair', {}, 'session'],
      ['/backup', {}, 'path'],
      ['/backup', { path: 'relative.db' }, 'relative.db'],
    ] as const) {
      const problem = await send(path, JSON.stringify(body));
      expect(problem, `${path} ${JSON.stringify(body).slice(0, 40)}`).toMatchObject({ status: 400, code: 'bad-request' });
      expect(problem.detail).toContain(named);
    }
    expect(await send('/forget', '{"__proto__":{"ref":"MSG-1"}}')).toMatchObject({ code: 'bad-request' });
  });

  test('[API-7] what is not there, or there already, is said', async () => {
    const problems = [
      ['/import', { paths: ['/no/such/folder'] }, 'not-found'],
      ['/import', { paths: ['/no\0thing'] }, 'not-found'],
      ['/forget', { ref: 'MSG-99999' }, 'not-found'],
      ['/forget', { ref: 'nobody' }, 'not-found'],
      ['/forget', { ref: 'a'.repeat(64) }, 'not-found'],
      ['/forget', { ref: 'MSG-1#1' }, 'bad-request'],
      ['/forget', { ref: 'EXCH-1' }, 'bad-request'],
      ['/rebuild', { session: 'nobody' }, 'not-found'],
      ['/repair', { session: 'nobody' }, 'not-found'],
      ['/backup', { path: board.home.folder }, 'already-there'],
      ['/backup', { path: `${board.home.folder}/no/such/folder/b.db` }, 'not-found'],
    ] as const;
    for (const [path, body, code] of problems)
      expect(await send(path, JSON.stringify(body)), `${path} ${JSON.stringify(body)}`).toMatchObject({ code });
  });

  test('[API-7] a body that is too large is refused, told beforehand or not', async () => {
    const large = JSON.stringify({ ref: 'x'.repeat(1024 * 1024) });
    expect(await send('/forget', large)).toMatchObject({ status: 413, code: 'too-large' });
    expect(
      await board.problem('/api/v1/forget', {
        method: 'POST',
        body: large,
        headers: { authorization: `Bearer ${board.token}`, 'content-length': String(large.length) },
      }),
    ).toMatchObject({ code: 'too-large' });
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(new Uint8Array(64 * 1024).fill(32));
      },
    });
    expect(await send('/forget', endless, { duplex: 'half' } as RequestInit)).toMatchObject({ code: 'too-large' });
    expect(sent).toBeLessThan(64);
  });

  test('[API-7] a backup is written where it was asked for, and not twice', async () => {
    const path = `${board.folder}/copy.db`;
    const made = await board.command('backup', { path });
    expect(made).toMatchObject({ path });
    expect(made.bytes).toBeGreaterThan(1000);
    expect(await send('/backup', JSON.stringify({ path }))).toMatchObject({ status: 409, code: 'already-there' });
  });

  test('[API-4] commands answer as they promise', async () => {
    expect(await board.command('import', { paths: [`${board.folder}/projects`] })).toMatchObject({ added: 0, copied: 0 });
    const { totals } = await board.get('stats');
    expect(await board.command('rebuild')).toEqual({ entries: totals.entries });
    expect((await board.get('stats')).totals).toEqual(totals);
    const repaired = await board.command('repair', { session: SESSION.slice(0, 8) });
    expect(repaired).toMatchObject({ added: 0, verdict: { is_whole: true } });
    expect((await board.get('stats')).totals).toEqual(totals);
  });
});

describe('what commands hold', () => {
  test('[API-62] no input is nested so deep that looking at it would fail', async () => {
    const headers = { authorization: `Bearer ${board.token}` };
    const depth = 20_000;
    let asked = 0;
    for (const { name, path, input } of Object.values<Operation>(REGISTRY).filter(({ method }) => method === 'POST')) {
      const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, key = '']) => key);
      const address = pathOf(name as OperationName, Object.fromEntries(inPath.map((key) => [key, 'x'])));
      for (const key of Object.keys(input.shape).filter((one) => !inPath.includes(one)))
        for (const deep of [`${'['.repeat(depth)}${']'.repeat(depth)}`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`]) {
          const body = `{"${key}":${deep}}`;
          const problem = await board.problem(address, { method: 'POST', headers, body });
          expect([name, key, problem.code, problem.detail]).toEqual([name, key, 'bad-request', `${key} must not be nested deeper than 100`]);
          asked += 1;
        }
    }
    expect(asked).toBeGreaterThan(200);
    expect(board.faults).toEqual([]);
  });

  test('[API-62] as deep as anybody nests things is no trouble', async () => {
    const { ref } = await board.command('sidebar_spawn', { parent_id: null, task_description: 'deep' });
    const deep = JSON.parse(`${'['.repeat(18)}${']'.repeat(18)}`) as object;
    const { events } = await board.command('sidebar_update', { sidebar_id: ref ?? '', data_refs: { deep } });
    expect(events).toHaveLength(1);
  });
});
