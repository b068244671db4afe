import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR, SYSTEM, type Actor } from '@yarnboard/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { automaticChecks } from '../../src/followers/checks.ts';
import { createChecker, type Checker } from '../../src/validators/checker.ts';
import { createClaimChecks, type ClaimChecks } from '../../src/validators/claim-checks.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';
import { makeTree } from './trees.ts';

/** A board with a claim to check, and a program that checks until it is told to end. */
describe('a check that is under way', () => {
  let board: TestBoard;
  let root: string;
  let checker: Checker;
  let checks: ClaimChecks;
  let child = '';
  const ada: Actor = { id: 'AGENT-ada', type: 'agent' };
  const wish = () => ({ sidebar: child, claim: 'EXCH-1' });
  const isRunning = async (): Promise<void> => {
    await expect.poll(() => existsSync(join(root, 'pid'))).toBe(true);
    await expect.poll(() => readFileSync(join(root, 'pid'), 'utf8')).toMatch(/^\d+\n$/u);
  };
  const isGone = async (): Promise<void> => {
    const pid = Number(readFileSync(join(root, 'pid'), 'utf8'));
    await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
  };
  const end = (): void => writeFileSync(join(root, 'go'), '');
  const runs = async (): Promise<number> => (await board.get('validation_history')).items.length;

  beforeEach(async () => {
    root = makeTree();
    const program = join(root, 'child.sh');
    writeFileSync(program, `#!/bin/sh\necho $$ > ${join(root, 'pid')}\nwhile [ ! -f ${join(root, 'go')} ]; do sleep 0.02; done\n`);
    chmodSync(program, 0o755);
    board = await makeBoard({});
    const { engine } = board.board;
    checker = createChecker({ command: [program], now: () => 0 });
    const place = { roots: { folders: [], closed: [], problems: [] }, cwd: null, services: [], mayAskContainers: false, ownPids: [], calls: null };
    checks = createClaimChecks({ engine, checker, placeFor: async () => place, now: () => Date.now() });
    engine.onCommitted(() => checks.reconsider());
    await board.command('agent_register', { agent_id: 'ada' });
    const { ref } = await board.command('sidebar_spawn', { parent_id: null, task_description: 'look', participants: ['ada'] });
    await board.command('chat_message', { sidebar_id: ref, content: 'Redis is running. The file src/a.ts exists.' });
    const spawned = await board.command('sidebar_child_spawn', { parent_sidebar_id: ref, sub_task_description: 'closer', participants: ['ada'] });
    child = spawned.ref ?? '';
    await board.command('validation_config', { enabled: true, allowed: ['service_status', 'file_exists'] });
  });
  afterEach(async () => {
    await checker.close();
    await board.close();
  });

  test.each([
    ['checks are switched off', 'validation_config', { enabled: false }, 'checks-off'],
    ['its type is not allowed any more', 'validation_config', { allowed: ['file_exists'] }, 'type-not-allowed'],
    ['whoever asked retires', 'agent_retire', { agent_id: 'ada' }, null],
  ] as const)('[VAL-33] ends when %s, and nothing of it is kept', async (_, command, input, reason) => {
    const checked = checks.check(ada, wish());
    await isRunning();
    await board.command(command, input);
    expect(await checked).toMatchObject({ ok: false, ...(reason === null ? {} : { error: { reason } }) });
    await isGone();
    expect(await runs()).toBe(0);
  });

  test('[VAL-33] goes on for the operator, whatever is switched off', async () => {
    const checked = checks.check(OPERATOR, wish());
    await isRunning();
    await board.command('validation_config', { enabled: false });
    end();
    expect(await checked).toMatchObject({ ok: true });
  });

  test('[VAL-8] an agent has one check at a time: many at once would run before any of them counts', async () => {
    const first = checks.check(ada, wish());
    await isRunning();
    expect(await checks.check(ada, wish())).toMatchObject({ ok: false, error: { reason: 'too-many-checks', facts: { of: 'once' } } });
    end();
    expect(await first).toMatchObject({ ok: true });
    expect(await checks.check(ada, wish())).toMatchObject({ ok: true });
  });

  test('[VAL-8] a check whose result is not kept counts as well: nobody keeps the checker busy with what is refused afterwards', async () => {
    end();
    let hour = 0;
    const place = { roots: { folders: [], closed: [], problems: [] }, cwd: null, services: [], mayAskContainers: false, ownPids: [], calls: null };
    const quick = createChecker({ command: null, now: () => 0 });
    const mine = createClaimChecks({ engine: board.board.engine, checker: quick, placeFor: async () => place, now: () => Date.now() + hour });
    const tooMany = { ok: false, error: { reason: 'too-many-checks', facts: { most: 30, of: 'hour' } } };
    for (let n = 0; n < 30; n += 1) expect(await mine.check(ada, wish())).toMatchObject({ ok: true });
    expect(await mine.check(ada, wish())).toMatchObject(tooMany);
    expect(await runs()).toBe(0);
    expect(await mine.check(OPERATOR, wish())).toMatchObject({ ok: true });
    hour = 3_600_000;
    expect(await mine.check(ada, wish())).toMatchObject({ ok: true });
    await quick.close();
  });

  test('[VAL-10] a result that could not be kept is looked for again, and kept once', async () => {
    end();
    const { engine } = board.board;
    let failures = 2;
    const execute: typeof engine.execute = async (asked) => {
      failures -= 1;
      if (failures >= 0) throw new Error('no space left on device');
      return engine.execute(asked);
    };
    await board.command('focus_set', { sidebar_id: child, add: ['EXCH-1'] });
    const follower = automaticChecks({ engine: { ...engine, execute }, checks });
    const { signal } = new AbortController();
    await expect(follower.pass(signal)).rejects.toThrow('no space left');
    await expect(follower.pass(signal)).rejects.toThrow('no space left');
    for (let passes = 0; passes < 5; passes += 1) await follower.pass(signal);
    expect((await board.get('validation_history')).items.map(({ claim_id: id, asked_by: by }) => [id, by])).toEqual([
      [`${child}:CLAIM-2`, SYSTEM.id],
      [`${child}:CLAIM-1`, SYSTEM.id],
    ]);
  });
});
