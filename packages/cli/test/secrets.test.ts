import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { VERBS } from '../src/registry/verbs.ts';
import { VERB_NAMES } from '../src/run.ts';
import { folderWith, jsonl, pipedLines, SESSION, yarnboard, type Ended } from './terminal.ts';

// Put together here, so that no scanner takes this file for a leak.
const KEY = ['sk', 'ant', 'api03', 'Zq7Wm2Kx9Lp4Vt8Rb3Nc6Yd1Hf5Jg0'].join('-');
const GITHUB = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
const ODD = 'q8Zr5Kw2Vn7Tb4Xc9M';
const BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ1walrus';
const PRIVATE = ['-----BEGIN RSA PRIVATE KEY-----', BODY, BODY, '-----END RSA PRIVATE KEY-----'];
/** Each without its last four characters, which a mask shows. */
const SECRETS = [KEY.slice(13, -4), GITHUB.slice(4, -4), ODD, BODY];
const AGENT = 'a0000001';

const record = (uuid: string, parentUuid: string | null, type: 'user' | 'assistant', content: unknown, more: object = {}): object => ({
  type,
  uuid,
  parentUuid,
  sessionId: SESSION,
  cwd: `/home/ada/${GITHUB}`,
  gitBranch: GITHUB,
  timestamp: '2026-01-15T10:00:00.000Z',
  message: {
    role: type,
    content,
    ...(type === 'assistant' ? { id: uuid, model: 'claude-sonnet-4-5', usage: { input_tokens: 1, output_tokens: 1 } } : {}),
  },
  ...more,
});

const folder = folderWith({
  [`claude/projects/p/${SESSION}.jsonl`]: `${jsonl(
    record('u1', null, 'user', `use ${KEY} please`),
    record('u2', 'u1', 'assistant', [
      { type: 'text', text: `I use ${GITHUB}` },
      { type: 'thinking', thinking: `the key is ${KEY}` },
      { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: `/etc/${GITHUB}`, password: ODD, [KEY]: 'as a key' } },
      { type: 'tool_use', id: 't2', name: `mcp__${KEY}`, input: { prompt: KEY } },
    ]),
    record('u3', 'u2', 'user', [{ type: 'tool_result', tool_use_id: 't1', content: PRIVATE.join('\n') }], {
      toolUseResult: { structuredPatch: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 4, lines: PRIVATE.map((line) => `+${line}`) }] },
    }),
    { type: 'custom-title', customTitle: `How I lost ${KEY}`, sessionId: SESSION },
    { type: KEY, note: { password: ODD } },
    // On no branch: `--all` shows it.
    record('u9', 'nowhere', 'user', `left ${KEY}`),
  )}{"type":"user" broken ${KEY} and password = "${ODD}"\n`,
  [`claude/projects/p/${SESSION}/subagents/agent-${AGENT}.jsonl`]: jsonl(
    record('x1', null, 'user', `dig with ${KEY}`, { isSidechain: true, agentId: AGENT }),
    record('x2', 'x1', 'assistant', [{ type: 'text', text: `found ${GITHUB}` }], { isSidechain: true, agentId: AGENT }),
  ),
  [`claude/projects/p/${SESSION}/tool-results/t1.txt`]: `the whole output: ${KEY}\n${PRIVATE.join('\n')}`,
  [`claude/projects/p/${KEY}.jsonl`]: jsonl(record('y1', null, 'user', 'a session named like a key', { sessionId: KEY })),
  'note.txt': `use ${KEY}`,
});
const env = { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state'), CLAUDE_CONFIG_DIR: join(folder, 'claude') };
const projects = join(folder, 'claude', 'projects');
const transcript = join(projects, 'p', `${SESSION}.jsonl`);

const said = (...args: readonly string[]): Promise<Ended> => yarnboard(args, { env, typing: pipedLines('hello') });

/** Everything below a folder, names included. */
const writtenBelow = (path: string): string =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name}\n${statSync(join(path, name)).isFile() ? readFileSync(join(path, name), 'utf8') : ''}`)
    .join('\n');

const leaksIn = (text: string): readonly string[] => SECRETS.filter((secret) => text.includes(secret));

beforeAll(async () => {
  await said('import', projects);
  for (const line of [
    ['sidebar', 'spawn', `use ${KEY}`, '--root'],
    ['sidebar', 'say', 'SB-1', `use ${GITHUB} and password: "${ODD}"`],
    ['sidebar', 'attach', 'SB-1', join(folder, 'note.txt'), '--media-type', 'document'],
  ])
    if ((await said(...line)).code !== 0) throw new Error(`could not ${line.join(' ')}`);
});

const FORMATS = ['text', 'md', 'html', 'json'];

/** Every way to call a verb that shows something; or why it shows nothing of a transcript. In this order: the last ones change the board. */
const LINES: Readonly<Record<string, readonly (readonly string[])[] | string>> = {
  inspect: [[projects], [projects, '--json'], [projects, '--all'], [transcript]],
  show: [
    ...FORMATS.flatMap((format) => [
      [transcript, '--format', format, '--all'],
      [transcript, '--format', format, '--sidechains', 'after'],
      ['MSG-1', '--format', format],
      ['SB-1', '--format', format],
      [transcript, '--format', format, '--output', join(folder, `shown.${format}`)],
    ]),
    ['MSG-99'],
    [KEY],
    [`${KEY}x`],
  ],
  envelopes: [
    [transcript, '--dropped'],
    [transcript, '--wrapped', '--everything', '--shadow'],
  ],
  search: [['use'], ['use', '--json'], [KEY], [`use -${KEY}`], ['lost', '--json']],
  trace: [['MSG-1'], ['MSG-1', '--format', 'json'], ['MSG-1', '--format', 'dot'], [SESSION, '--format', 'mermaid'], [KEY]],
  similar: [['MSG-1'], ['MSG-1', '--json'], [KEY]],
  verify: [[], ['--json']],
  doctor: [[], ['--json']],
  status: [[], ['--json']],
  import: [[projects]],
  export: [['--output', join(folder, 'exported')]],
  completion: [['bash']],
  chat: [['SB-1']],
  backup: [[join(folder, 'copy.db')]],
  rebuild: [[]],
  repair: [[SESSION]],
  restore: [[join(folder, 'note.txt')]],
  forget: [[KEY], ['MSG-1', '--yes']],
  stop: [[]],
  start: 'serves; its doors are walked in the tests of the server',
  open: 'makes a link',
  claude: 'hands the terminal over to Claude Code',
  hook: 'tells news, which the server tells masked',
  mcp: 'a door of the server',
};

describe('what leaves a terminal', () => {
  test('[SEC-27] no verb prints or writes a secret that was not asked for', async () => {
    expect(Object.keys(LINES).sort()).toEqual([...VERB_NAMES].sort());
    let masked = 0;
    for (const [verb, lines] of Object.entries(LINES)) {
      for (const line of typeof lines === 'string' ? [] : lines) {
        const { code, out, err } = await said(verb, ...line);
        // What somebody typed may be said again; nothing else.
        const told = line.reduce((text, word) => text.replaceAll(word, ''), `${out}${err}`);
        expect({ verb, line, code, leaks: leaksIn(told) }).toEqual({ verb, line, code: expect.any(Number) as number, leaks: [] });
        if (told.includes('[masked ')) masked += 1;
      }
    }
    expect(masked).toBeGreaterThan(25);
    for (const format of FORMATS) expect(leaksIn(readFileSync(join(folder, `shown.${format}`), 'utf8'))).toEqual([]);
  });

  test('[SEC-27] nor does any list or view of the board', async () => {
    const values: Readonly<Record<string, string>> = { sidebar_id: 'SB-1', media_id: 'MEDIA-1', text: 'use', agent_id: 'operator', ref: 'MSG-1' };
    let walked = 0;
    for (const { operation, group, word, given, parameters } of VERBS) {
      if (operation.method !== 'GET') continue;
      const flags = parameters.some(({ name }) => name === 'content') ? ['--content'] : [];
      for (const more of [[], ['--json']]) {
        const { out, err } = await said(group, ...word.split(' '), ...given.map(({ name }) => values[name] ?? 'SB-1'), ...flags, ...more);
        const decoded = [...out.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/gu)].map(([text]) => Buffer.from(text, 'base64').toString('utf8')).join('\n');
        expect({ group, word, leaks: leaksIn(`${out}${err}${decoded}`) }).toEqual({ group, word, leaks: [] });
        walked += 1;
      }
    }
    expect(walked).toBeGreaterThan(20);
  });

  test('[SEC-27] whoever sits at the terminal may ask for them', async () => {
    for (const line of [
      ...FORMATS.map((format) => ['show', transcript, '--format', format]),
      ['envelopes', transcript],
      ['inspect', projects, '--all'],
      ['inspect', projects, '--json'],
    ]) {
      const { code, out } = await said(...line, '--reveal');
      expect({ line, code, isThere: out.includes(KEY) }).toEqual({ line, code: 0, isThere: true });
    }
  });

  test('[SEC-28] an export masks as the server does, names of files included, and writes all of it if asked to', async () => {
    for (const [more, isWhole] of [
      [[], false],
      [['--reveal'], true],
    ] as const) {
      const target = join(folder, `export-${String(isWhole)}`);
      expect(await said('export', '--output', target, ...more)).toMatchObject({ code: 0 });
      const text = writtenBelow(target);
      expect(leaksIn(text)).toEqual(isWhole ? SECRETS : []);
      expect(text.includes('[masked ')).toBe(!isWhole);
    }
  });
});
