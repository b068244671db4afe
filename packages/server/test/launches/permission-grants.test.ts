import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@yarnboard/transcript';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { until } from '../ingest/bench.ts';
import type { Step } from './played-sdk.ts';
import { openRuns } from './runs-bench.ts';
import { grantsIn, scopesOf, updatesOf } from '../../src/launches/permission-grants.ts';

const of = (type: string, more: object): Step => ({ say: { type, parent_tool_use_id: null, ...more } });
const call: Step = of('assistant', { uuid: 'a', message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] } });
const result: Step = of('user', { uuid: 'b', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'done' }] } });
const detailOf = async (response: Response): Promise<string> => String(((await response.json()) as { readonly detail?: unknown }).detail);

const addRules = (rules: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  type: 'addRules',
  rules,
  behavior: 'allow',
  destination: 'localSettings',
  ...more,
});

describe('what is allowed for good', () => {
  test('[RUN-40] rules, directories and edits are made anew, for the session or the project', () => {
    const grants = grantsIn([
      addRules([{ toolName: 'Bash', ruleContent: 'npm test:*', note: 'foreign' }, { toolName: 'WebFetch' }], { more: 1 }),
      { type: 'addDirectories', directories: ['/loom', 'relative'], destination: 'userSettings' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ]);
    const rules = [{ toolName: 'Bash', ruleContent: 'npm test:*' }, { toolName: 'WebFetch' }];
    expect(updatesOf(grants, 'project')).toEqual([
      { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' },
      { type: 'addDirectories', directories: ['/loom'], destination: 'localSettings' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ]);
    expect(updatesOf(grants, 'session').map(({ destination }) => destination)).toEqual(['session', 'session', 'session']);
    expect(scopesOf(grants)).toEqual(['session', 'project']);
    expect(scopesOf(grantsIn([{ type: 'setMode', mode: 'acceptEdits' }]))).toEqual(['session']);
  });

  test.each([
    ['denies', addRules([{ toolName: 'Bash' }], { behavior: 'deny' })],
    ['replaces', { type: 'replaceRules', rules: [{ toolName: 'Bash' }], behavior: 'allow' }],
    ['never asks', { type: 'setMode', mode: 'bypassPermissions' }],
    ['is damaged', addRules([{ toolName: 7 }, { toolName: '' }, { toolName: 'Bash', ruleContent: {} }])],
    ['is a text', 'addRules'],
  ])('[RUN-40] what %s is left out', (_, suggestion) => {
    expect(grantsIn([suggestion])).toEqual([]);
    expect(scopesOf([])).toEqual([]);
  });

  test('[RUN-40] whatever is suggested, only allowing rules, directories and edits are passed on', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom('session' as const, 'project' as const), (suggestions, scope) => {
        for (const update of updatesOf(grantsIn(suggestions), scope)) {
          expect(['addRules', 'addDirectories', 'setMode']).toContain(update['type']);
          expect(update['mode'] ?? 'acceptEdits').toBe('acceptEdits');
          expect(update['behavior'] ?? 'allow').toBe('allow');
        }
      }),
    );
  });

  test('[RUN-40] a request is allowed for good as far as the SDK suggests it, and who allowed what is on the log', async () => {
    const rules = [{ toolName: 'Bash', ruleContent: 'npm test:*' }];
    const suggestions = [
      { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' },
      { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    ];
    const ask = (requestId: string, more: object): Step => ({
      ask: { tool: 'Bash', input: { command: 'npm test' }, toolUseID: 't', requestId, ...more },
    });
    const bench = await openRuns([{ hear: true }, call, ask('q', { suggestions }), ask('r', {}), result, of('result', { subtype: 'success' })]);
    const { run_id: id } = await bench.startRun();
    await bench.reach(id, 'waiting');
    const answer = (body: object): Promise<Response> => bench.post(`/runs/${id}/permissions`, body);
    const grants = [{ kind: 'tool', tool: 'Bash', pattern: 'npm test:*' }];
    expect((await bench.command('permissions', {})).items).toMatchObject([{ request_id: 'q', always: { grants, scopes: ['session', 'project'] } }]);
    expect(await detailOf(await answer({ request_id: 'q', decision: 'deny', always: 'session' }))).toMatch(/always can be given only when/u);
    expect((await answer({ request_id: 'q', decision: 'allow', always: 'project' })).status).toBe(200);
    await until('it asks again', async () => (await bench.reach(id, 'waiting')).pending.some(({ request_id: one }) => one === 'r'));
    expect(await detailOf(await answer({ request_id: 'r', decision: 'allow', always: 'session' }))).toMatch(/allowed for the session/u);
    expect((await answer({ request_id: 'r', decision: 'allow' })).status).toBe(200);
    await bench.reach(id, 'idle');
    expect(bench.played.answers).toEqual([
      {
        behavior: 'allow',
        updatedInput: { command: 'npm test' },
        updatedPermissions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }],
      },
      { behavior: 'allow', updatedInput: { command: 'npm test' } },
    ]);
    expect((await bench.entries()).flatMap(({ payload }) => payload?.['granted'] ?? [])).toEqual([{ scope: 'project', grants }]);
    expect((await bench.command('permissions', {})).items).toMatchObject([{ scope: 'project' }, { scope: null }]);
  });

  test('[RUN-43] rules of the run are listed until it ends, those of its project until they are revoked; only to the operator', async () => {
    const suggestions = [
      { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }], behavior: 'allow', destination: 'localSettings' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ];
    const ask: Step = { ask: { tool: 'Bash', input: { command: 'npm test' }, toolUseID: 't', requestId: 'q', suggestions } };
    const bench = await openRuns([{ hear: true }, call, ask, result, of('result', { subtype: 'success' })]);
    const { run_id: id, session_id: session } = await bench.startRun();
    const rules = async (): Promise<readonly string[]> =>
      (await bench.command('session_rules', { id: session })).items.map(({ scope, rule }) => `${scope}: ${rule}`);
    await bench.reach(id, 'waiting');
    expect(await rules()).toEqual([]);
    expect((await bench.post(`/runs/${id}/permissions`, { request_id: 'q', decision: 'allow', always: 'session' })).status).toBe(200);
    await bench.reach(id, 'idle');
    mkdirSync(join(bench.cwd, '.claude'));
    const file = join(bench.cwd, '.claude', 'settings.local.json');
    writeFileSync(file, JSON.stringify({ permissions: { allow: ['WebFetch', 'Bash(ls:*)'] } }));
    expect(await rules()).toEqual(['session: Bash(npm test:*)', 'session: acceptEdits', 'project: WebFetch', 'project: Bash(ls:*)']);
    expect(await bench.command('session_rule_revoke', { id: session, rule: 'WebFetch' })).toMatchObject({ directory: bench.cwd, problem: null });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ permissions: { allow: ['Bash(ls:*)'] } });
    const secret = 'Bash(curl -H "Authorization: Bearer ghp_Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY1234" https://host.example:*)';
    writeFileSync(file, JSON.stringify({ permissions: { allow: [secret, 'Bash(ls:*)'] } }));
    const masked = (await bench.command('session_rules', { id: session })).items.find(({ rule }) => rule.startsWith('Bash(curl'))?.rule ?? '';
    expect([masked.includes('[masked'), masked.includes('ghp_Qx7m')]).toEqual([true, false]);
    await bench.command('session_rule_revoke', { id: session, rule: masked });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ permissions: { allow: ['Bash(ls:*)'] } });
    const again = await bench.post(`/sessions/${session}/rules/revoke`, { rule: 'WebFetch' });
    expect([again.status, await detailOf(again)]).toEqual([404, expect.stringContaining('no rule "WebFetch" is kept for this project')]);
    // What holds for the session isn't taken back by itself.
    expect((await bench.post(`/sessions/${session}/rules/revoke`, { rule: 'Bash(npm test:*)' })).status).toBe(404);
    await bench.command('end_run', { id });
    await bench.reach(id, 'ended');
    expect(await rules()).toEqual(['project: Bash(ls:*)']);
    writeFileSync(file, 'damaged');
    const { items, problem } = await bench.command('session_rules', { id: session });
    expect([items, problem]).toEqual([[], expect.stringContaining(file)]);
    expect((await bench.post(`/sessions/${session}/rules/revoke`, { rule: 'Bash(ls:*)' })).status).toBe(409);
    expect(await bench.problem(`/api/v1/sessions/${session}/rules`)).toMatchObject({ code: 'token-needed' });
  });
});
