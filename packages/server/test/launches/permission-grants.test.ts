import type { JsonObject } from '@yarnboard/transcript';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grantsIn, scopesOf, updatesOf } from '../../src/launches/permission-grants.ts';

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
    expect(grantsIn([suggestion as never])).toEqual([]);
    expect(scopesOf([])).toEqual([]);
  });

  test('[RUN-40] whatever is suggested, only allowing rules, directories and edits are passed on', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom('session' as const, 'project' as const), (suggestions, scope) => {
        for (const update of updatesOf(grantsIn(suggestions as never), scope)) {
          expect(['addRules', 'addDirectories', 'setMode']).toContain(update['type']);
          expect(update['mode'] ?? 'acceptEdits').toBe('acceptEdits');
          expect(update['behavior'] ?? 'allow').toBe('allow');
        }
      }),
    );
  });
});
