import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  classifyFile,
  copilot,
  DEFAULT_PRICES,
  DIALECTS,
  gemini,
  pi,
  priceOf,
  qwen,
  readEntry,
  recordsIn,
  resumeCommandOf,
  type Dialect,
  type JsonObject,
} from '../src/index.ts';
import { memoryAccess } from './memory-access.ts';

const NOWHERE = { line: 1, part: 0, offset: 0, length: 0 };
const SESSION = '01a1e1ae-f59a-70fd-8edd-ede91fe91ba0';

const told = (dialect: Dialect, values: readonly JsonObject[], agentId: string | null = null): readonly JsonObject[] => {
  const read = recordsIn(dialect.lines, { sessionId: SESSION, agentId });
  return values.map((value, i) => read(value, { line: i + 1, part: 0 }));
};

/** A chat of Gemini: what is made of its file, as records. */
const chat = (
  name: string,
  content: readonly JsonObject[] | JsonObject,
  more: Readonly<Record<string, string>> = {},
  project = 'p',
): readonly JsonObject[] => {
  const path = `/h/.gemini/tmp/${project}/chats/${name}`;
  const text = Array.isArray(content)
    ? (content as readonly JsonObject[]).map((line) => `${JSON.stringify(line)}\n`).join('')
    : JSON.stringify(content);
  const files: Readonly<Record<string, string>> = { [path]: text, ...more };
  const access = memoryAccess((at) => files[at] ?? null);
  return told(gemini, [...(gemini.store?.linesIn(path, access).lines ?? [])]);
};

const header = { sessionId: SESSION, projectHash: 'x', startTime: '2026-11-16T00:00:00.000Z' };
const asked = (id: string, text: string): JsonObject => ({ id, timestamp: '2026-11-16T00:00:01.000Z', type: 'user', content: [{ text }] });
const replied = (id: string, text: string, more: JsonObject = {}): JsonObject => ({
  id,
  timestamp: '2026-11-16T00:00:02.000Z',
  type: 'gemini',
  content: text,
  ...more,
});
const rolesOf = (records: readonly JsonObject[]): readonly string[] =>
  records.map((record) => readEntry(record, NOWHERE).role).filter((role) => role !== 'state');
const parentsOf = (records: readonly JsonObject[]) =>
  new Map(
    records.flatMap((record) => (typeof record['uuid'] === 'string' ? [[record['uuid'].split('/').slice(2).join('/'), record['parentUuid']]] : [])),
  );

const rootsOf = (dialect: Dialect, env: Record<string, string>, there = true) => dialect.roots({ env, home: '/home/dev', exists: () => there });

describe('where other tools keep sessions', () => {
  test('[GEM-1] [QWEN-1] [PI-1] [COPI-1] in their own folders, by their own variables, and nowhere if those are not there', () => {
    expect([gemini, qwen, pi, copilot].map((dialect) => rootsOf(dialect, {}))).toEqual([
      ['/home/dev/.gemini'],
      ['/home/dev/.qwen'],
      ['/home/dev/.pi/agent'],
      ['/home/dev/.copilot'],
    ]);
    expect(rootsOf(gemini, { GEMINI_CLI_HOME: '/g' })).toEqual(['/g/.gemini']);
    expect(rootsOf(qwen, { QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' })).toEqual(['/r', '/q']);
    expect(rootsOf(pi, { PI_CODING_AGENT_DIR: '~/p' })).toEqual(['/home/dev/p']);
    expect(rootsOf(copilot, { COPILOT_HOME: '/c' })).toEqual(['/c']);
    expect(DIALECTS.flatMap((dialect) => rootsOf(dialect, {}, false))).toEqual([]);
    expect(['gemini', 'qwen', 'pi', 'copilot'].map((tool) => resumeCommandOf(tool, 'x', null))).toEqual([
      'gemini --resume x',
      'qwen --resume x',
      'pi --session x',
      'copilot --resume x',
    ]);
  });

  test('[QWEN-1] [COPI-1] [CODEX-1] a home that has another name is told by what is in it, and nothing beside its sessions is read', () => {
    const foundIn = (names: readonly string[]) => DIALECTS.flatMap((dialect) => [...(dialect.transcriptsIn('elsewhere', names) ?? [])]);
    expect(foundIn(['projects', 'usage_record.jsonl', 'debug'])).toEqual(['projects']);
    expect(foundIn(['session-state', 'logs', 'config.json'])).toEqual(['session-state']);
    expect(foundIn(['sessions', 'config.toml', 'history.jsonl'])).toContain('sessions');
    expect(foundIn(['projects', 'src'])).toEqual([]);
  });

  test('[GEM-1] [QWEN-1] [PI-1] [COPI-1] a path tells whose file it is, and no tool takes that of another', () => {
    const paths = [
      '/h/.gemini/tmp/p/chats/session-2026-11-16T00-04-8ae3e6ea.json',
      '/h/.gemini/tmp/p/chats/session-2026-11-16T00-04-8ae3e6ea.jsonl',
      `/h/.gemini/tmp/p/chats/${SESSION}/agent-1.jsonl`,
      `/h/.qwen/projects/-p/chats/${SESSION}.jsonl`,
      `/h/.qwen/projects/-p/subagents/${SESSION}/agent-general-call_1.jsonl`,
      `/h/.pi/agent/sessions/--p--/2026-11-16T00-08-22-171Z_${SESSION}.jsonl`,
      `/h/.copilot/session-state/${SESSION}/events.jsonl`,
      `/h/.copilot/session-state/${SESSION}.jsonl`,
      `/h/.claude/projects/-p/${SESSION}.jsonl`,
    ];
    const owners = paths.map((path) =>
      DIALECTS.filter((dialect) => dialect.name !== 'claude-code' && dialect.classify(path).role !== 'foreign').map(({ name }) => name),
    );
    expect(owners).toEqual([['gemini'], ['gemini'], ['gemini'], ['qwen'], ['qwen'], ['pi'], ['copilot'], ['copilot'], []]);
  });

  test('[DIALECT-10] what a tool keeps beside its sessions is known as that, and a session never is', () => {
    const isKnown = (path: string): boolean => {
      const { role } = classifyFile(DIALECTS, path);
      return role.role === 'foreign' && role.isKnown === true;
    };
    const beside = [
      '/h/.gemini/projects.json',
      '/h/.gemini/tmp/p/.project_root',
      '/h/.gemini/tmp/p/logs.json',
      `/h/.qwen/projects/-p/chats/${SESSION}.runtime.json`,
      '/h/.qwen/projects/-p/meta.json',
      '/h/.qwen/projects/-p/memory/MEMORY.md',
      `/h/.copilot/session-state/${SESSION}/workspace.yaml`,
      `/h/.copilot/session-state/${SESSION}/checkpoints/001-x.md`,
    ];
    expect(beside.map(isKnown)).toEqual(beside.map(() => true));
    const others = [
      `/h/.copilot/session-state/${SESSION}/events.jsonl`,
      `/h/.qwen/projects/-p/chats/${SESSION}.jsonl`,
      '/h/notes.yaml',
      '/h/.claude/x.json',
    ];
    expect(others.map(isKnown)).toEqual(others.map(() => false));
  });

  test('[GEM-2] [PI-2] a session is known by the id in the file, not by its name', () => {
    const path = `/s/2026-11-16T00-08-22-171Z_${SESSION}.jsonl`;
    expect([...pi.sniff('{"type":"session","id":"other"}\n', path).sessionIds.keys()]).toEqual(['other']);
    expect([...pi.sniff('rubbish', path).sessionIds.keys()]).toEqual([SESSION]);
    expect([...gemini.sniff(`{"kind":"session","time":null,"sessionId":"${SESSION}"}\n`, '/x').sessionIds.keys()]).toEqual([SESSION]);
  });
});

describe('chats of Gemini', () => {
  test('[GEM-4] the folder is told by a file beside them, or by the list of projects; else nobody knows', () => {
    const folderIn = (more: Readonly<Record<string, string>>) => chat('session-1.jsonl', [header], more)[0]?.['cwd'];
    expect(folderIn({ '/h/.gemini/tmp/p/.project_root': '/home/dev/proj\n' })).toBe('/home/dev/proj');
    expect(folderIn({ '/h/.gemini/projects.json': '{"projects":{"/home/dev/other":"p"}}' })).toBe('/home/dev/other');
    expect(folderIn({})).toBeUndefined();
  });

  test('[GEM-4] a hash is the folder of a path that has it, from where that is named on; nobody else is', () => {
    const projectHash = 'bb97ae4cdb5b0dd7e32b198a7ebcb35332fca3343779f0895ffb11258627aa8f'; // of /home/dev/proj
    const call = (id: string, path: string): JsonObject => ({ id, name: 'read_file', args: { absolute_path: path, limit: 5 }, status: 'error' });
    const foldersIn = (path: string) =>
      chat('session-1.jsonl', [{ ...header, projectHash }, asked('u1', 'Read it'), replied('g1', 'Yes.', { toolCalls: [call('c1', path)] })]).map(
        (record) => record['cwd'],
      );
    const unknown = undefined;
    expect(foldersIn('/home/dev/proj/src/a.ts')).toEqual([unknown, unknown, unknown, '/home/dev/proj', '/home/dev/proj']);
    expect(foldersIn('/home/dev/project/src/a.ts')).toEqual([unknown, unknown, unknown, unknown, unknown]);
    expect(foldersIn(`/${'x/'.repeat(5000)}`)).toEqual([unknown, unknown, unknown, unknown, unknown]);
    const listed = { '/h/.gemini/projects.json': '{"projects":{"/home/dev/other":"o","/home/dev/proj":"proj"}}' };
    expect(chat('session-1.jsonl', [header], listed, projectHash)[0]?.['cwd']).toBe('/home/dev/proj');
  });

  test('[GEM-3] a later form of a reply adds what it has more, and takes nothing away', () => {
    const call = {
      id: 'c1',
      name: 'replace',
      args: { file_path: '/a', old_string: 'x', new_string: 'y' },
      status: 'success',
      result: [{ functionResponse: { id: 'c1', response: { output: 'Done.' } } }],
    };
    const records = chat('session-1.jsonl', [
      header,
      asked('u1', 'Change it'),
      replied('g1', 'I will.', { tokens: { input: 10, output: 2, cached: 4, thoughts: 3 }, model: 'gemini-2.5-pro' }),
      replied('g1', 'I will.', { tokens: { input: 10, output: 2, cached: 4, thoughts: 3 }, model: 'gemini-2.5-pro', toolCalls: [call] }),
      { $set: { messages: [asked('u1', 'Change it'), replied('g1', 'I will.')] } },
    ]);
    expect(rolesOf(records)).toEqual(['prompt', 'reply', 'reply', 'reply', 'result']);
    expect(JSON.stringify(records)).toContain('"name":"Edit"');
  });

  test('[GEM-6] [GEM-7] calls go by the names that everything knows, and a command has failed by its code', () => {
    const shell = (id: string, output: string, status = 'success'): JsonObject => ({
      id,
      name: 'run_shell_command',
      args: { command: 'x' },
      status,
      result: [{ functionResponse: { id, response: { output } } }],
    });
    const records = chat('session-1.json', {
      ...header,
      messages: [
        asked('u', 'Run'),
        replied('g', '', { toolCalls: [shell('1', 'Output: a\nExit Code: 3'), shell('2', 'Output: b\nExit Code: 0'), shell('3', '', 'cancelled')] }),
      ],
    });
    const failures = records.flatMap((record) => readEntry(record, NOWHERE).results.map(({ isError }) => isError));
    expect(failures).toEqual([true, false, false]);
    expect(records.flatMap((record) => readEntry(record, NOWHERE).uses.map(({ name }) => name))).toEqual(['Bash', 'Bash', 'Bash']);
  });

  test('[GEM-8] what is rewound, or left out of the list, stays as a branch that was left', () => {
    const rewound = parentsOf(
      chat('session-1.jsonl', [header, asked('u1', 'One'), replied('g1', 'Two'), asked('u2', 'Three'), { $rewindTo: 'u2' }, asked('u3', 'Four')]),
    );
    expect(rewound.get('u3')).toBe(`gemini/${SESSION}/g1`);
    expect(rewound.get('u2')).toBe(`gemini/${SESSION}/g1`);
    const list = { $set: { messages: [asked('u1', 'One'), replied('g1', 'Two')] } };
    const left = parentsOf(
      chat('session-1.jsonl', [header, asked('u1', 'One'), replied('g1', 'Two'), asked('u2', 'Three'), list, asked('u3', 'Four')]),
    );
    expect(left.get('u3')).toBe(`gemini/${SESSION}/g1`);
  });

  test('[GEM-9] thoughts are counted with the output, cached input once, at the prices of Google', () => {
    const usages = chat('session-1.jsonl', [header, replied('g', 'Hi', { tokens: { input: 10, output: 2, cached: 4, thoughts: 3 } })]).flatMap(
      (record) => readEntry(record, NOWHERE).usage ?? [],
    );
    expect(usages).toEqual([expect.objectContaining({ input: 6, cacheRead: 4, output: 5 })]);
    expect(priceOf(DEFAULT_PRICES, 'gemini-2.5-pro')).not.toBeNull();
  });
});

describe('lines of other tools', () => {
  test('[QWEN-2] what lies beside a sub-agent says who started it', () => {
    expect(qwen.readMeta({ agentType: 'general', toolUseId: 'call_1', parentAgentId: null, depth: 0 })).toMatchObject({
      agentType: 'general',
      toolUseId: 'call_1',
    });
    expect(qwen.classify(`/h/projects/-p/subagents/${SESSION}/agent-x.meta.json`)).toEqual({
      role: 'companion',
      what: 'agent meta',
      sessionId: SESSION,
    });
  });

  test('[QWEN-4] [QWEN-5] [QWEN-6] Qwen: notices are no prompts, calls fail by their status or code, cached input is part of the input', () => {
    const line = (type: string, more: JsonObject): JsonObject => ({ type, timestamp: '2026-11-16T00:00:00.000Z', ...more });
    const answer = (output: string, status: string): JsonObject =>
      line('tool_result', {
        uuid: output,
        toolCallResult: { status },
        message: { parts: [{ functionResponse: { id: output, name: 'run_shell_command', response: { output } } }] },
      });
    const records = told(qwen, [
      line('user', { uuid: 'a', parentUuid: null, provenance: 'real_user', message: { parts: [{ text: 'Hello' }] } }),
      line('system', { uuid: 'b', parentUuid: 'a', subtype: 'ui_telemetry' }),
      line('assistant', {
        uuid: 'c',
        parentUuid: 'b',
        message: { parts: [{ text: 'Hi' }] },
        usageMetadata: { promptTokenCount: 10, cachedContentTokenCount: 4, candidatesTokenCount: 3 },
      }),
      line('user', {
        uuid: 'd',
        parentUuid: 'c',
        subtype: 'notification',
        message: { parts: [{ text: '<task-notification>\n<task-id>x</task-id>\n</task-notification>' }] },
      }),
      answer('Exit Code: 2', 'success'),
      answer('fine', 'success'),
      answer('no', 'error'),
    ]);
    expect(rolesOf(records)).toEqual(['prompt', 'reply', 'notice', 'result', 'result', 'result']);
    expect(records[2]?.['parentUuid']).toBe('a');
    expect(readEntry(records[2] ?? {}, NOWHERE).usage).toMatchObject({ input: 6, cacheRead: 4, output: 3 });
    expect(records.flatMap((record) => readEntry(record, NOWHERE).results.map(({ isError }) => isError))).toEqual([true, false, true]);
  });

  test('[PI-4] [PI-5] [PI-6] pi: branches go on where they say, copies in a fork are the originals, and each response has its price', () => {
    const entry = (id: string, parentId: string | null, message: JsonObject): JsonObject => ({
      type: 'message',
      id,
      parentId,
      timestamp: '2026-11-16T00:00:00.000Z',
      message,
    });
    const says = (text: string): JsonObject => ({
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
      usage: { input: 5, cacheRead: 4, cacheWrite: 1, output: 2, cost: { total: 0.5 } },
    });
    const tree = [
      entry('a', null, { role: 'user', content: 'One' }),
      { type: 'label', id: 'x', parentId: 'a' },
      entry('b', 'x', says('Two')),
      entry('c', 'a', says('Other')),
    ];
    const records = told(pi, [{ type: 'session', id: SESSION, cwd: '/p' }, ...tree]);
    const [, one, , two, other] = records;
    expect([two?.['parentUuid'], other?.['parentUuid']]).toEqual([one?.['uuid'], one?.['uuid']]);
    expect(readEntry(two ?? {}, NOWHERE)).toMatchObject({ usage: { input: 5, cacheRead: 4, cacheWrite5m: 1, output: 2 }, costUsd: 0.5 });
    const forked = told(pi, [{ type: 'session', id: 'fork', parentSession: `/s/t_${SESSION}.jsonl` }, ...tree]);
    expect(forked.slice(1).map(({ uuid }) => uuid)).toEqual(records.slice(1).map(({ uuid }) => uuid));
    expect(forked[0]).toMatchObject({ type: 'fork-context-ref', parentSessionId: SESSION });
    // Old files have no ids: copies are the same in all else.
    const old = ['One', 'Two'].map((text, i) => ({
      type: 'message',
      timestamp: `2025-12-16T00:00:0${i}.000Z`,
      message: { role: 'user', content: text },
    }));
    const namesIn = (head: JsonObject) => told(pi, [{ type: 'session', cwd: '/p', ...head }, ...old]).map(({ uuid }) => uuid);
    expect(namesIn({ id: 'fork', branchedFrom: '/s/t_x.jsonl' })).toEqual(namesIn({ id: SESSION }));
    expect(new Set(namesIn({ id: SESSION })).size).toBe(3);
    const edit = told(pi, [
      entry('e', null, {
        role: 'assistant',
        content: [{ type: 'toolCall', id: '1', name: 'edit', arguments: { path: '/a', oldText: 'x', newText: 'y' } }],
      }),
    ]);
    expect(JSON.stringify(edit)).toContain('"name":"Edit","input":{"file_path":"/a","old_string":"x","new_string":"y"}');
  });

  test('[COPI-2] [COPI-4] [COPI-5] [COPI-6] Copilot: sub-agents stand apart, calls fail by their code, of old versions only the output is known', () => {
    const event = (id: string, type: string, data: JsonObject, agentId?: string): JsonObject => ({
      id,
      type,
      data,
      timestamp: '2026-11-16T00:00:00.000Z',
      ...(agentId === undefined ? {} : { agentId }),
    });
    const records = told(copilot, [
      event('1', 'user.message', { content: 'Go' }),
      event('2', 'assistant.message', {
        content: '',
        outputTokens: 7,
        toolRequests: [{ toolCallId: 't', name: 'task', arguments: { agent_type: 'g', prompt: 'p' } }],
      }),
      event('3', 'subagent.started', { toolCallId: 't' }, 'A'),
      event('4', 'user.message', { content: 'p', source: 'agent-x' }, 'A'),
      event('5', 'tool.execution_complete', { toolCallId: 's', success: true, result: { content: 'no' }, shellExecution: { exitCode: 3 } }, 'A'),
      event('6', 'tool.execution_complete', { toolCallId: 't', success: true, result: { content: 'done' } }),
    ]);
    expect(records.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      `copilot/${SESSION}/1`,
      undefined,
      null,
      'copilot/A/4',
      `copilot/${SESSION}/2`,
    ]);
    expect(records.flatMap((record) => readEntry(record, NOWHERE).results)).toMatchObject([{ isError: true }, { isError: false, agentId: 'A' }]);
    expect(readEntry(records[1] ?? {}, NOWHERE)).toMatchObject({ usage: { input: 0, output: 7 }, uses: [{ name: 'Agent' }] });
  });

  const anything = fc.array(
    fc.dictionary(
      fc.constantFrom(
        'id',
        'uuid',
        'parentUuid',
        'parentId',
        'type',
        'subtype',
        'data',
        'message',
        'content',
        'toolCalls',
        '$set',
        '$rewindTo',
        'sessionId',
        'timestamp',
        'agentId',
      ),
      fc.oneof(
        fc.constantFrom('user', 'assistant', 'gemini', 'tool_result', 'system', 'message', 'session', 'assistant.message', 'user.message', 'a'),
        fc.jsonValue(),
      ),
    ),
    { maxLength: 8 },
  );

  /** How many lists of lines were tried. */
  const takesAnything = (dialect: Dialect): number => {
    let tried = 0;
    fc.assert(
      fc.property(anything, (lines) => {
        const values = lines as readonly JsonObject[];
        const read = () =>
          dialect === gemini
            ? [...chat('session-1.jsonl', [header, ...values]), ...chat('session-1.json', { ...header, messages: values })]
            : told(dialect, values);
        const records = read();
        for (const record of records) readEntry(record, NOWHERE);
        // Nothing is left out: each line or message makes at least one.
        expect(records.length).toBeGreaterThanOrEqual(dialect === gemini ? 2 + 2 * values.length : values.length);
        expect(read()).toEqual(records);
        tried += 1;
      }),
    );
    return tried;
  };

  test('[GEM-10] whatever a chat of Gemini holds becomes records that can be read, the same each time', () => {
    expect(takesAnything(gemini)).toBeGreaterThan(20);
  });
  test('[QWEN-8] whatever a line of Qwen Code holds becomes a record that can be read, the same each time', () => {
    expect(takesAnything(qwen)).toBeGreaterThan(20);
  });
  test('[PI-8] whatever a line of pi holds becomes a record that can be read, the same each time', () => {
    expect(takesAnything(pi)).toBeGreaterThan(20);
  });
  test('[COPI-8] whatever an event of Copilot holds becomes a record that can be read, the same each time', () => {
    expect(takesAnything(copilot)).toBeGreaterThan(20);
  });
});
