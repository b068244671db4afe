import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_VALIDATION_SETTINGS, type OutputOf } from '@yarnboard/protocol';
import { createBoardChecks } from '../../../src/board-checks.ts';
import { createFollowers } from '../../../src/followers/runner.ts';
import { changedFiles } from '../../../src/followers/checks.ts';
import { createChecker } from '../../../src/validators/checker.ts';
import { makeTree } from '../../validators/trees.ts';
import { makeBoard, type TestBoard } from '../boards.ts';

const SAID = 'The server timeout is 500ms. The file src/gone.ts exists. I think the issue is in Redis. `retries` is 3.';

describe('checks by machine on a board', () => {
  const root = makeTree({ 'app.toml': '[server]\ntimeout = "500ms"\n', 'a.json': '{"retries": 3}', 'b.json': '{"retries": 4}' });
  const settings = { excludedProjects: [], roots: [], validation: { ...NO_VALIDATION_SETTINGS, roots: [root, '/'] } };
  let board: TestBoard;
  let token = '';
  beforeAll(async () => {
    board = await makeBoard({ settings });
    token = (await board.command('agent_register', { agent_id: 'ada' })).token ?? '';
  });
  afterAll(() => board.close());

  /** A sidebar below one in which something was said. */
  const inherit = async (): Promise<{ readonly child: string; readonly exchange: string; readonly message: string }> => {
    const parent =
      (await board.command('sidebar_spawn', { parent_id: null, task_description: 'look', participants: ['ada'], success_criteria: 'c' })).ref ?? '';
    const { refs } = await board.command('chat_message', { sidebar_id: parent, content: SAID });
    const { ref } = await board.command('sidebar_child_spawn', { parent_sidebar_id: parent, sub_task_description: 'closer', participants: ['ada'] });
    return { child: ref ?? '', message: refs[0] ?? '', exchange: refs[1] ?? '' };
  };
  const asAgent = async (path: string, body: object): Promise<readonly [number, string | undefined]> => {
    const response = await board.ask(`/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return [response.status, ((await response.json()) as { readonly code?: string }).code]; // a problem has one
  };
  const claimsOf = async (child: string): Promise<OutputOf<'claims'>['items']> =>
    [...(await board.get('claims', { sidebar_id: child })).items].sort((a, b) => a.claim_id.localeCompare(b.claim_id));

  test('[VAL-9] the operator checks one claim after the other; what was tried stands beside the claim', async () => {
    const { child, exchange } = await inherit();
    const first = await board.command('claim_validate', { sidebar_id: child, claim_id: exchange });
    expect(first.events.at(-1)).toMatchObject({
      type: 'claim_validated',
      claim_type: 'config_value',
      conclusion: 'confirmed',
      mark: 'confirmed',
      automatic: false,
    });
    expect(await board.get('claim', { sidebar_id: child, claim_id: 'CLAIM-1' })).toMatchObject({
      verification: 'confirmed',
      local_confidence: 0.95,
      marked_by: ['system'],
      validation: {
        claim_being_validated: 'The server timeout is 500ms.',
        conclusion: 'confirmed',
        verified: true,
        method: 'usual_files',
        message: null,
        needs_human_review: false,
        attempts: [
          { method: 'named_file', says: 'nothing' },
          { method: 'usual_files', says: 'supports', evidence: 'app.toml:2 server.timeout = 500ms' },
          {},
        ],
      },
    });
    const second = await board.command('claim_validate', { sidebar_id: child, claim_id: exchange });
    expect(second.events.at(-1)).toMatchObject({ claim_type: 'file_exists', conclusion: 'contradicted' });
    const hypothesis = (await claimsOf(child)).find(({ type }) => type === 'hypothesis');
    expect(
      (
        await board.problem(`/api/v1/sidebars/${child}/claims/${hypothesis?.claim_id.split(':')[1] ?? ''}/validation`, {
          method: 'POST',
          headers: { authorization: `Bearer ${board.token}` },
          body: '{}',
        })
      ).detail,
    ).toContain('matter of judgement');
    expect((await board.get('validation_history', { sidebar_id: child })).items.map(({ type, conclusion }) => [type, conclusion])).toEqual([
      ['file_exists', 'contradicted'],
      ['config_value', 'confirmed'],
    ]);
  });

  test('[VAL-12] checks that disagree are in the inbox of the operator, side by side, until they are overruled', async () => {
    const { child, exchange } = await inherit();
    await board.command('claim_validate', { sidebar_id: child, claim_id: exchange, words: '`retries` is 3.' });
    const waiting = (await board.command('inbox')).to_judge.find(({ sidebar_id: id }) => id === child);
    expect(waiting).toMatchObject({
      claim: '`retries` is 3.',
      conflicts: ['usual files (a.json:1 retries = 3) supports it, usual files (b.json:1 retries = 4) refutes it'],
    });
    const claim = (waiting?.claim_id ?? '').split(':')[1] ?? '';
    await board.command('validation_overrule', { sidebar_id: child, claim_id: claim, verification: 'confirmed', reason: 'b.json is old' });
    expect((await board.command('inbox')).to_judge.filter(({ sidebar_id: id }) => id === child)).toEqual([]);
    expect((await board.get('validation_history', { sidebar_id: child, overruled: true })).items).toMatchObject([
      { overruled: { reason: 'b.json is old', verification: 'confirmed' } },
    ]);
    expect(await board.get('claim', { sidebar_id: child, claim_id: claim })).toMatchObject({
      verification: 'confirmed',
      validation: { needs_human_review: false },
    });
  });

  test('[VAL-7] agents ask for what the operator allowed, and change none of it, through any door', async () => {
    const { child, exchange } = await inherit();
    const path = `sidebars/${child}/claims/${exchange}/validation`;
    expect(await asAgent(path, {})).toEqual([403, 'operator-only']);
    expect(await asAgent('validation/config', { enabled: true })).toEqual([403, 'operator-only']);
    expect(await asAgent(`sidebars/${child}/claims/CLAIM-1/overruling`, { verification: 'confirmed', reason: 'x' })).toEqual([403, 'operator-only']);
    for (const allowed of [['hypothesis'], ['causation'], ['everything'], Array.from({ length: 10_000 }, () => 'file_exists')])
      expect(
        (
          await board.problem('/api/v1/validation/config', {
            method: 'POST',
            headers: { authorization: `Bearer ${board.token}` },
            body: JSON.stringify({ allowed }),
          })
        ).code,
      ).toBe('bad-request');
    await board.command('validation_config', { enabled: true, allowed: ['file_exists'] });
    expect(await asAgent(path, {})).toEqual([403, 'operator-only']);
    expect((await asAgent(path, { words: 'The file src/gone.ts exists.' }))[0]).toBe(200);
    expect(await board.get('validators')).toMatchObject({ enabled: true, allowed: ['file_exists'], roots: null });
    const mine = await board.command('validators');
    expect(mine).toMatchObject({ roots: [root], problems: [expect.stringContaining('/ ')] });
    expect(mine.items).toHaveLength(8);
    expect(mine.items.find(({ type }) => type === 'file_exists')).toMatchObject({
      allowed: true,
      risk: 'very low',
      class: 'factual_checkable',
      conclusive_share: 1,
      methods: { length: 4 },
    });
    await board.command('validation_config', { enabled: false, allowed: [], reason: 'enough' });
    expect((await board.get('validation_history')).changes.map(({ enabled, reason }) => [enabled, reason])).toEqual([
      [false, 'enough'],
      [true, null],
    ]);
  });

  test('[VAL-10] switched on, what enters the focus and what a new sidebar inherits is checked by itself, and only what is allowed', async () => {
    const before = await inherit();
    const checks = createBoardChecks({ home: board.home, settings, roots: [], programs: null, engine: board.board.engine, store: board.board.store });
    const followers = createFollowers({ onFault: (cause) => expect.fail(String(cause)) });
    const stop = checks.follow(followers);
    const settled = async (): Promise<void> => {
      for (;;) {
        const [checking] = followers.states();
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (checking !== undefined && checking.passes > 0 && followers.states()[0]?.passes === checking.passes) return;
      }
    };
    const automatic = async (child: string) =>
      (await claimsOf(child)).filter(({ validation }) => validation?.automatic === true).map(({ words }) => words);
    const wait = async (child: string, count: number): Promise<void> => {
      await expect.poll(async () => (await automatic(child)).length).toBe(count);
    };
    await board.command('validation_config', { enabled: true, allowed: ['config_value'] });
    const { child } = await inherit();
    await wait(child, 2);
    expect(await automatic(child)).toEqual(['The server timeout is 500ms.', '`retries` is 3.']);
    expect(await automatic(before.child)).toEqual([]);
    await board.command('focus_set', { sidebar_id: before.child, add: [before.exchange] });
    await wait(before.child, 2);
    await board.command('validation_config', { enabled: false });
    const last = await inherit();
    await settled();
    expect(await automatic(last.child)).toEqual([]);
    stop();
    await followers.close();
    await checks.close();
  });

  test('[CLAIM-18] a file that changes makes marks that rest on it out of date, once', async () => {
    const { child, exchange } = await inherit();
    await board.command('claim_validate', { sidebar_id: child, claim_id: exchange });
    const checker = createChecker({ command: null, now: () => 0 });
    const place = {
      roots: { folders: [root], closed: [], problems: [] },
      cwd: root,
      services: [],
      mayAskContainers: false,
      ownPids: [],
      calls: null,
    };
    const follower = changedFiles({ engine: board.board.engine, checker, placeFor: async () => place });
    const signal = new AbortController().signal;
    await follower.pass(signal);
    expect(await board.get('claim', { sidebar_id: child, claim_id: 'CLAIM-1' })).toMatchObject({ verification: 'confirmed', was: null });
    writeFileSync(join(root, 'app.toml'), '[server]\ntimeout = "300ms"\n');
    await follower.pass(signal);
    await follower.pass(signal);
    const aged = await board.get('claim', { sidebar_id: child, claim_id: 'CLAIM-1' });
    expect(aged).toMatchObject({ verification: 'unverified', was: 'confirmed', effective_confidence: 0, validation: { outdated: true } });
    await board.command('claim_validate', { sidebar_id: child, claim_id: 'CLAIM-1' });
    expect(await board.get('claim', { sidebar_id: child, claim_id: 'CLAIM-1' })).toMatchObject({
      verification: 'contradicted',
      local_confidence: 0.1,
      was: null,
    });
    await checker.close();
  });

  test('[CLAIM-13] who forgets a message forgets what checks of it found', async () => {
    const { child, exchange, message } = await inherit();
    await board.command('claim_validate', { sidebar_id: child, claim_id: exchange });
    await board.command('forget', { ref: message });
    expect(await claimsOf(child)).toMatchObject([{ exchange_id: null, validation: null }, { validation: null }, {}, {}]);
    expect((await board.get('validation_history', { sidebar_id: child })).items).toEqual([]);
    expect(JSON.stringify((await board.get('log', { limit: 200 })).items)).not.toContain('app.toml:2 server.timeout = 500ms"');
  });
});
