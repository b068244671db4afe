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
});
