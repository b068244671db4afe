import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPermissions, rowsOf } from '@yarnboard/domain';
import { readRuntimes, type OutputOf } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { permissionDuties } from '../../src/followers/permission-duties.ts';
import { protectionOf } from '../../src/runtimes/protected-places.ts';
import { makeBoard, makeFolder, type TestBoard } from '../operations/boards.ts';

const SCRIPTED = fileURLToPath(new URL('./scripted-agent.mjs', import.meta.url));

const open = async (more: object = {}): Promise<TestBoard> => {
  const read = readRuntimes({ scripted: { kind: 'stdio', command: [process.execPath, SCRIPTED] } });
  if (!read.ok) throw new Error(read.error);
  const made = await makeBoard({ settings: { excludedProjects: [], roots: [], runtimes: read.value }, isImported: false, ...more });
  await made.board.seats.start();
  return made;
};

/** An agent in a sidebar that does as it is told. */
const seated = async (made: TestBoard): Promise<string> => {
  await made.command('agent_register', { agent_id: 'scripted' });
  await made.command('agent_runtime', { agent_id: 'scripted', runtime: 'scripted' });
  return (await made.command('sidebar_spawn', { parent_id: null, task_description: 'Build it', participants: ['scripted'] })).ref ?? '';
};

const say = async ({ command }: TestBoard, sidebar: string, wish: object): Promise<void> =>
  void (await command('chat_message', { sidebar_id: sidebar, content: `@scripted permit ${JSON.stringify(wish)}` }));

/** Looks again after every commit until it is so. */
const until = async <T>({ board }: TestBoard, look: () => Promise<T | null> | T | null): Promise<T> => {
  for (;;) {
    const committed = new Promise<void>((resolve) => {
      const stop = board.engine.onCommitted(() => {
        stop();
        resolve();
      });
    });
    const found = await look();
    if (found !== null) return found;
    await committed;
  }
};

type Asked = OutputOf<'permissions'>['items'][number];

const asked = (made: TestBoard, isIt: (one: Asked) => boolean = ({ decision }) => decision === null): Promise<Asked> =>
  until(made, async () => (await made.get('permissions')).items.find(isIt) ?? null);

const heard = (made: TestBoard, sidebar: string, text: string): Promise<string> =>
  until(made, async () => {
    const { items } = await made.get('sidebar_memory', { sidebar_id: sidebar, part: 'local' });
    return items.find(({ sender, content }) => sender === 'AGENT-scripted' && content.includes(text))?.content ?? null;
  });

const TEST = { tool: 'Bash', input: { command: 'npm test', description: 'Runs the tests' } };

describe('permissions of seats', () => {
  test('[RT-50] [RT-51] a program that asks waits for the operator, who sees tool, input and directory; deny with words reaches it', async () => {
    const made = await open();
    const sidebar = await seated(made);
    await say(made, sidebar, TEST);
    const request = await asked(made);
    expect(request).toMatchObject({
      agent_id: 'AGENT-scripted',
      sidebar_id: sidebar,
      tool: 'Bash',
      input: { command: 'npm test', description: 'Runs the tests' },
      directory: join(made.home.folder, 'seats'),
      alike: 'npm test *',
      decision: null,
    });
    expect(request.summary).toContain('npm test');
    await made.command('permission_answer', { request_id: request.request_id, decision: 'deny', message: 'use make' });
    expect(await heard(made, sidebar, 'was told')).toBe('was told: deny, use make');
    const twice = made.command('permission_answer', { request_id: request.request_id, decision: 'allow' });
    await expect(twice).rejects.toThrow('AGENT-operator answered this request already: deny');
    const { items } = await made.get('permissions', { sidebar_id: sidebar });
    expect(items).toMatchObject([{ decision: 'deny', means: 'once', answered_by: 'AGENT-operator', summary: 'npm test', message: 'use make' }]);
    expect(made.faults).toEqual([]);
    await made.close();
  });

  test('[RT-52] allowed for the agent, it is not asked again; once the rule is taken back it is', async () => {
    const made = await open();
    const sidebar = await seated(made);
    await say(made, sidebar, TEST);
    const { request_id: id } = await asked(made);
    await made.command('permission_answer', { request_id: id, decision: 'allow', scope: 'agent', breadth: 'alike' });
    await heard(made, sidebar, 'was told: allow');
    await say(made, sidebar, { tool: 'Bash', input: { command: 'npm test -- web' } });
    expect(await asked(made, ({ means }) => means === 'rule')).toMatchObject({ decision: 'allow', summary: 'npm test -- web' });
    const [rule] = (await made.get('permissions')).rules;
    expect(rule).toMatchObject({ agent_id: 'AGENT-scripted', sidebar_id: null, pattern: 'npm test *', uses: 1, made_by: 'AGENT-operator' });
    await made.command('permission_revoke', { rule_id: rule?.rule_id });
    await say(made, sidebar, TEST);
    await asked(made);
    expect((await made.get('permissions')).rules).toEqual([]);
    await made.close();
  });

  test('[RT-69] allowed with changes, the program hears what it is to do instead; the answer says so, and a mask does not replace its secret', async () => {
    const made = await open();
    const sidebar = await seated(made);
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const wish = { tool: 'Bash', input: { command: `deploy --to all --key ${secret}` } };
    const hidden = Buffer.from(JSON.stringify(wish)).toString('hex');
    await made.command('chat_message', { sidebar_id: sidebar, content: `@scripted permit hex:${hidden}` });
    const { request_id: id } = await asked(made);
    const answer = (more: object): Promise<unknown> => made.command('permission_answer', { request_id: id, decision: 'allow', ...more });
    const wanted = { command: `deploy --to one --key ${secret}` };
    await expect(answer({ scope: 'agent', updated_input: wanted })).rejects.toThrow('only once');
    await expect(answer({ decision: 'deny', updated_input: wanted })).rejects.toThrow('only once');
    const shown = (await made.get('permissions')).items[0]?.input;
    await expect(answer({ updated_input: shown })).rejects.toThrow('where a secret was');
    await expect(answer({ updated_input: { command: 'x'.repeat(150_001) } })).rejects.toThrow('the limit is 150000');
    await answer({ updated_input: { command: 'deploy --to one' } });
    expect(await heard(made, sidebar, 'was told')).toBe('was told: allow, with {"command":"deploy --to one"}');
    const { items } = await made.get('permissions', { sidebar_id: sidebar });
    expect(items).toMatchObject([{ decision: 'allow', means: 'once', is_changed: true }]);
    expect(made.faults).toEqual([]);
    await made.close();
  });

  test('[RT-51] no agent answers, not even for itself', async () => {
    const made = await open();
    const sidebar = await seated(made);
    const { token } = await made.command('agent_register', { agent_id: 'other' });
    await say(made, sidebar, TEST);
    const { request_id: id } = await asked(made);
    const problem = await made.problem(`/api/v1/permissions/${id}/answer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'allow' }),
    });
    expect(problem.code).toBe('operator-only');
    expect(openPermissions(made.board.engine.board())).toHaveLength(1);
    await made.close();
  });

  test('[RT-54] what nobody answers is told again after ten minutes and denied after a day', async () => {
    const made = await open();
    const sidebar = await seated(made);
    await say(made, sidebar, TEST);
    await asked(made);
    const [{ askedAt } = { askedAt: 0 }] = openPermissions(made.board.engine.board());
    let now = askedAt + 10 * 60_000 - 1;
    const duties = permissionDuties({ engine: made.board.engine, runs: made.board.runs, now: () => now });
    const pass = () => duties.pass(new AbortController().signal);
    await pass();
    expect(openPermissions(made.board.engine.board())[0]?.remindedAt).toBeNull();
    now += 1;
    await pass();
    await pass();
    expect(openPermissions(made.board.engine.board())[0]?.remindedAt).not.toBeNull();
    const { notices } = await made.command('inbox');
    expect(notices.filter(({ level, kind }) => level === 'escalate' && kind === 'permission')).toHaveLength(1);
    now = askedAt + 24 * 60 * 60_000;
    await pass();
    expect(await heard(made, sidebar, 'was told')).toBe('was told: deny, No one answered within 24 hours.');
    await made.close();
  });

  test('[RT-55] a request goes with the turn or the seat that asked, also when the server ended meanwhile', async () => {
    const made = await open();
    const sidebar = await seated(made);
    await say(made, sidebar, TEST);
    await asked(made);
    await made.command('seat_stop', { sidebar_id: sidebar, agent_id: 'scripted' });
    expect(await asked(made, ({ decision }) => decision === 'withdrawn')).toMatchObject({ means: 'gone' });
    await made.command('seat_restart', { sidebar_id: sidebar, agent_id: 'scripted' });
    await say(made, sidebar, TEST);
    await asked(made);
    await made.close();
    const again = await open({ home: made.home });
    expect(
      rowsOf(again.board.engine.board().permissions)
        .flat()
        .map(({ outcome }) => outcome?.decision ?? null),
    ).toContain('withdrawn');
    await again.close();
  });

  test('[RT-58] the Yarnboard home and Claude’s credentials are denied without asking, and that is on the log', async () => {
    const made = await open();
    const sidebar = await seated(made);
    await say(made, sidebar, { tool: 'Bash', input: { command: `cat ${join(made.home.folder, 'operator.token')}` } });
    expect(await heard(made, sidebar, 'was told')).toContain('was told: deny, No agent may use the Yarnboard home');
    expect((await made.get('permissions')).items).toMatchObject([{ decision: 'deny', means: 'protected', answered_by: 'system' }]);
    await made.close();
  });
});

describe('a try', () => {
  const attempt = async (command: readonly string[]): Promise<OutputOf<'agent_try'>> => {
    const read = readRuntimes({ one: { kind: 'stdio', command } });
    if (!read.ok) throw new Error(read.error);
    const made = await makeBoard({ settings: { excludedProjects: [], roots: [], runtimes: read.value }, isImported: false });
    await made.command('agent_register', { agent_id: 'tried' });
    await expect(made.command('agent_try', { agent_id: 'tried' })).rejects.toThrow('AGENT-tried has no runtime');
    await made.command('agent_runtime', { agent_id: 'tried', runtime: 'one' });
    const answer = await made.command('agent_try', { agent_id: 'tried' });
    await made.close();
    return answer;
  };

  test('[RT-57] runs one turn and tells what works', async () => {
    const example = fileURLToPath(new URL('../../../../examples/stdio-agent.mjs', import.meta.url));
    expect(await attempt([process.execPath, example])).toMatchObject({
      works: true,
      checks: [
        { name: 'settings', works: true },
        { name: 'start', works: true, text: 'started: echo 1' },
        { name: 'turn', works: true, text: expect.stringContaining('1 heard') as string },
        { name: 'usage', works: true, text: '15 tokens, 0 USD' },
        { name: 'protocol', works: true },
      ],
    });
  });

  test('[RT-57] tells what does not work, and why', async () => {
    expect(await attempt(['/nowhere/agent'])).toMatchObject({ works: false, checks: [{ name: 'settings', works: false }] });
    const { works, checks } = await attempt([process.execPath, '-e', 'process.exit(3)']);
    expect(works).toBe(false);
    expect(checks.find(({ name }) => name === 'start')?.text).toContain('code 3');
  });
});

describe('protected places', () => {
  const folder = makeFolder();
  const [home, userHome] = [join(folder, 'board'), join(folder, 'user')];
  const seats = join(home, 'seats');
  mkdirSync(seats, { recursive: true });
  mkdirSync(join(userHome, '.claude'), { recursive: true });
  writeFileSync(join(home, 'operator.token'), 'x');
  symlinkSync(home, join(folder, 'link'));
  const configured = join(folder, 'configured');
  const protection = protectionOf({ home, seats, userHome, configured });

  test.each([
    [{ file_path: join(home, 'operator.token') }, true],
    [{ file_path: '../operator.token' }, true],
    [{ file_path: join(folder, 'link', 'log.db') }, true],
    [{ file_path: '~/.claude/.credentials.json' }, true],
    [{ command: 'cat $HOME/.claude.json' }, true],
    [{ command: `ls ${home}` }, true],
    [{ command: `cat ${' '.repeat(30_000)}${home}/board.db` }, true],
    [{ file_path: join(configured, '.credentials.json') }, true],
    [{ command: `cat ${seats}/../operator.token` }, true],
    [{ edits: [{ path: join(home, 'settings.json') }] }, true],
    [{ file_path: join(seats, 'notes.md') }, false],
    [{ file_path: `${home}-2/notes.md` }, false],
    [{ file_path: '/src/a.ts', content: `The token is in ${home}/operator.token` }, false],
    [{ command: 'npm test' }, false],
    [{ file_path: '~/.claude/CLAUDE.md' }, false],
  ])('[RT-58] %j is protected: %s', (input, isIt) => {
    expect(protection(input, seats) !== null).toBe(isIt);
  });
});
