import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showDocument } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { createMarkdown } from '@yarnboard/server/markdown';
import { builtCommand, conversation, folderWith, SESSION, spawned, yarnboard } from './terminal.ts';

const shown = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await yarnboard(['show', ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};

describe('show', () => {
  test('[CLI-7] a session is found by path, by id and by the beginning of its id', async () => {
    const folder = folderWith({ [`projects/p/${SESSION}.jsonl`]: conversation() });
    const byPath = await shown(join(folder, 'projects', 'p', `${SESSION}.jsonl`));
    expect(byPath).toContain('Human  2026-01-15 10:00:00\n  Hello\n\nClaude  2026-01-15 10:00:01\n  Hi there\n');
    expect(await shown(SESSION, '--in', folder)).toBe(byPath);
    expect(await shown('1111', '--in', folder)).toBe(byPath);
    expect(await shown(folder)).toBe(byPath);
  });

  test('[CLI-7] several sessions that fit are named, none is said so, and nothing is guessed', async () => {
    const other = '11119999-2222-4333-8444-555555555555';
    const folder = folderWith({ [`p/${SESSION}.jsonl`]: conversation(), [`p/${other}.jsonl`]: conversation(other) });
    expect(await yarnboard(['show', '1111', '--in', folder])).toEqual({
      code: 3,
      out: '',
      err: `yarnboard: "1111" fits 2 sessions: ${SESSION}, ${other}; give more of the id\n`,
    });
    expect((await yarnboard(['show', 'abcd', '--in', folder])).err).toContain('no session begins with "abcd"');
    expect((await yarnboard(['show', folder])).err).toContain('there are 2 sessions below');
    expect((await yarnboard(['show', 'no/such.jsonl'])).err).toBe('yarnboard: there is no file or folder "no/such.jsonl"\n');
    expect((await yarnboard(['show'])).code).toBe(2);
    expect((await yarnboard(['show', SESSION, '--format', 'pdf', '--in', folder])).err).toBe(
      'yarnboard: --format takes text, md, html, json; not "pdf"\n',
    );
    expect((await yarnboard(['show', SESSION, '--branch', 'nope', '--in', folder])).err).toBe(`yarnboard: session ${SESSION} has no record nope\n`);
  });

  test('[CLI-7] a sub-agent is shown by its file, under its name and with its call', async () => {
    const demo = fileURLToPath(new URL('../demo/projects/-home-dev-proj', import.meta.url));
    const nested = join(demo, '108016d4-5b6d-4e4d-a071-289b0ff15c02', 'subagents', 'agent-ae828167231efc8dc.jsonl');
    const out = await shown(nested);
    expect(out).toContain('sub-agent general-purpose ae828167231efc8dc · called by general-purpose (toolu_01YKLSdqGgettnY93V9Uv3H8), linked by meta');
    expect(out).toContain('You are the innermost agent.');
    expect(out).not.toContain('Outer agent delegating.');
    expect(await shown(join(demo, 'agent-a363e5c.jsonl'))).toContain('Now do the second round.');
  });

  test('[CLI-8] JSON tells the same conversation, message by message, with tokens and cost', async () => {
    const folder = folderWith({ [`p/${SESSION}.jsonl`]: conversation() });
    const { messages, ...head } = showDocument.parse(JSON.parse(await shown(SESSION, '--in', folder, '--format', 'json')));
    expect(head).toEqual({
      version: 1,
      session_id: SESSION,
      title: 'Hello',
      project: '/home/dev/proj',
      leaf_uuid: `${SESSION}-a1`,
      sidechains: [],
      not_shown: 0,
      on_no_branch: [],
    });
    expect(messages.map((message) => [message.actor.name, message.parts, message.cost_usd])).toEqual([
      ['Human', [{ kind: 'text', text: 'Hello' }], null],
      ['Claude', [{ kind: 'text', text: 'Hi there' }], 0.0045],
    ]);
  });

  test('[CLI-8] every session of the demo set is shown in every format, with its agents', async () => {
    const { out } = await yarnboard(['inspect', '--demo', '--json']);
    const { sessions } = JSON.parse(out) as {
      sessions: { session_id: string; messages: number; sidechains: { agent_id: string; linked_by: string }[] }[];
    };
    for (const session of sessions.filter((one) => one.messages > 0)) {
      const text = await shown(session.session_id, '--demo');
      for (const { agent_id } of session.sidechains) expect(text).toContain(agent_id);
      expect(await shown(session.session_id, '--demo', '--format', 'md')).toContain('### Human');
      expect(await shown(session.session_id, '--demo', '--format', 'html')).toContain('</html>');
      showDocument.parse(JSON.parse(await shown(session.session_id, '--demo', '--format', 'json')));
    }
  });

  test('[CLI-8] the other branch of a rewound session can be shown', async () => {
    const { out } = await yarnboard(['inspect', '--demo', '--json']);
    const { sessions } = JSON.parse(out) as { sessions: { session_id: string; branches: { children: { uuid: string; active: boolean }[] }[] }[] };
    const branched = sessions.find((session) => session.branches.length > 0);
    const other = branched?.branches[0]?.children.find((child) => !child.active);
    const active = await shown(branched?.session_id ?? '', '--demo');
    const alternative = await shown(branched?.session_id ?? '', '--demo', '--branch', other?.uuid ?? '');
    expect(active).toContain('Branch from the first assistant message.');
    expect(alternative).not.toContain('Branch from the first assistant message.');
    expect(alternative).toContain('All done: read, ran, wrote and edited.');
  });

  test('[SHOW-8] [SHOW-9] says where the context was cleared, how much is on no branch, and shows that too', async () => {
    const file = (name: string): string => fileURLToPath(new URL(`../../../fixtures/oddities/${name}.jsonl`, import.meta.url));
    const cleared = await shown(file('cleared-context'));
    expect(cleared).toContain('══ context cleared: what follows was said without knowledge of the above ══\n\nHuman');
    expect(cleared).toContain('Plan a retry for the upload.');
    const edited = file('edited-first-prompt');
    expect(await shown(edited)).toMatch(/It fetches a file\.\n\n2 messages on no branch: --all shows them\n$/u);
    expect(await shown(edited, '--all')).toMatch(
      /\n── on no branch \(hangs on nothing above\): 2 messages ──\n\nHuman {2}.*\n {2}Explain the upload\./u,
    );
    const { messages, on_no_branch } = showDocument.parse(JSON.parse(await shown(edited, '--all', '--format', 'json')));
    expect(on_no_branch).toEqual([{ reason: 'other_root', messages: 2, first_uuid: 'p1', last_uuid: 'a1' }]);
    expect(messages.map(({ uuid, off_path }) => [uuid, off_path])).toEqual([
      ['p2', null],
      ['a2', null],
      ['p1', 'other_root'],
      ['a1', 'other_root'],
    ]);
  });

  test('[SIDE-11] shows an agent that exists only as progress under its call', async () => {
    const out = await shown(fileURLToPath(new URL('../../../fixtures/oddities/progress-only-agent.jsonl', import.meta.url)));
    expect(out).toContain('sub-agent Explore ac99d3c02c229b78a · called by Claude (toolu_1), linked by agent_id');
    expect(out).toContain('│   Where is the upload?');
    expect(out).toContain('▸ Read');
  });

  test('[CLI-8] output goes to a file when asked, and a file that cannot be written is refused', async () => {
    const folder = folderWith({ [`p/${SESSION}.jsonl`]: conversation() });
    const file = join(folder, 'page.html');
    expect(await shown(SESSION, '--in', folder, '--format', 'html', '--output', file)).toBe('');
    expect(readFileSync(file, 'utf8')).toContain('<h2>Human');
    expect(await yarnboard(['show', SESSION, '--in', folder, '--output', '/no/such/folder/x'])).toMatchObject({ code: 3, out: '' });
  });

  test('[CLI-7] standard input is shown too', () => {
    const { stdout, status } = spawned(builtCommand(), ['show', '-'], conversation());
    expect(status).toBe(0);
    expect(stdout).toContain(SESSION);
    expect(stdout).toContain('Hi there');
  });

  test('[SHOW-5] Markdown of a transcript makes no tags of its own, loads nothing and runs nothing', () => {
    const html = createMarkdown()(
      '<script>x</script> ![pixel](https://evil.example/p.png) [a](javascript:alert(1)) [b](https://ok.example) <img src=x>\n\n```html\n<b>\n```',
    );
    expect(html).not.toMatch(/<script|<img|href="javascript/u);
    expect(html).toContain('[image: pixel]');
    expect(html).toContain('rel="noreferrer noopener"');
  });
});

describe('help', () => {
  test('[DOC-4] the help names every command, and each page every option', async () => {
    const { out } = await yarnboard(['help']);
    for (const verb of ['inspect', 'show']) {
      expect(out).toContain(`yarnboard ${verb}`);
      const page = (await yarnboard([verb, '--help'])).out;
      const source = readFileSync(new URL(`../src/verbs/${verb}.ts`, import.meta.url), 'utf8');
      const options = [...source.matchAll(/^ {4}'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/gmu)]
        .map(([, name = '']) => name)
        .filter((name) => name !== 'or-demo');
      expect(options.length).toBeGreaterThan(4);
      for (const option of options) expect(page).toContain(`--${option}`);
    }
  });
});
