import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shownText } from '@yarnboard/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectRules, revokeProjectRule, ruleOf } from '../../src/launches/project-rules.ts';
import { makeBoard, makeFolder } from '../operations/boards.ts';
import { prompt } from '../operations/records.ts';

const makeProject = (text: string | null): { readonly cwd: string; readonly file: string } => {
  const cwd = makeFolder();
  mkdirSync(join(cwd, '.claude'));
  const file = join(cwd, '.claude', 'settings.local.json');
  if (text !== null) writeFileSync(file, text);
  return { cwd, file };
};

test('[RUN-43] tools, patterns and directories are told as Claude Code writes them', async () => {
  const permissions = { allow: ['Bash(npm test:*)', 'WebFetch', 'mcp__docs__find', 7, ''], additionalDirectories: ['/loom'], deny: ['Bash(rm:*)'] };
  const { cwd } = makeProject(JSON.stringify({ permissions }));
  const read = await projectRules(cwd);
  expect(read).toEqual({
    ok: true,
    rules: [
      { rule: 'Bash(npm test:*)', grant: { kind: 'tool', tool: 'Bash', pattern: 'npm test:*' } },
      { rule: 'WebFetch', grant: { kind: 'tool', tool: 'WebFetch', pattern: null } },
      { rule: 'mcp__docs__find', grant: { kind: 'tool', tool: 'mcp__docs__find', pattern: null } },
      { rule: '/loom', grant: { kind: 'directory', path: '/loom' } },
    ],
  });
  expect(read.ok ? read.rules.map(({ rule, grant }) => ruleOf(grant) === rule) : []).toEqual([true, true, true, true]);
  expect(await projectRules(makeProject(null).cwd)).toEqual({ ok: true, rules: [] });
});

test('[RUN-43] one rule is taken out; everything else in the file stays, with its indentation and its mode', async () => {
  const before =
    '{\n    "model": "opus",\n    "permissions": {\n        "allow": [\n            "WebFetch",\n            "Bash(ls)"\n        ],\n        "deny": [\n            "WebFetch"\n        ]\n    }\n}\n';
  const { cwd, file } = makeProject(before);
  chmodSync(file, 0o640);
  expect(await revokeProjectRule(cwd, 'Bash(ls)')).toMatchObject({ ok: true, rules: [{ rule: 'WebFetch' }] });
  expect(readFileSync(file, 'utf8')).toBe(before.replace(',\n            "Bash(ls)"', ''));
  expect(statSync(file).mode & 0o777).toBe(0o640);
  // What denies is no permission.
  expect(await revokeProjectRule(cwd, 'Bash(ls)')).toBeNull();
  expect(readdirSync(join(cwd, '.claude'))).toEqual(['settings.local.json']);
});

test('[RUN-43] whatever else the file holds is the same afterwards', async () => {
  const { cwd, file } = makeProject(null);
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        fc.jsonValue(),
      ),
      fc.uniqueArray(fc.constantFrom('A', 'B(x)', 'C', 'D(y:*)'), { minLength: 1 }),
      async (rest, allow) => {
        writeFileSync(file, JSON.stringify({ ...rest, permissions: { allow, ask: ['A'] } }));
        await revokeProjectRule(cwd, allow[0] ?? '');
        const expected: unknown = JSON.parse(JSON.stringify({ ...rest, permissions: { allow: allow.slice(1), ask: ['A'] } }));
        expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(expected);
      },
    ),
    { numRuns: 30 },
  );
});

test('[RUN-43] of rules that are revoked together none comes back', async () => {
  const allow = Array.from({ length: 12 }, (_, n) => `Bash(n${n})`);
  const { cwd, file } = makeProject(JSON.stringify({ permissions: { allow } }));
  const answers = await Promise.all(allow.map((rule) => revokeProjectRule(cwd, rule)));
  const refused = allow.filter((_, n) => answers[n]?.ok !== true);
  expect(refused.length).toBeLessThan(allow.length);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ permissions: { allow: refused } });
  expect(readdirSync(join(cwd, '.claude'))).toEqual(['settings.local.json']);
});

test.each([
  ['no JSON', 'permissions'],
  ['no object', '[]'],
])('[RUN-43] a file that is %s is left as it is, and the answer says why', async (_, text) => {
  const { cwd, file } = makeProject(text);
  expect(await projectRules(cwd)).toMatchObject({ ok: false, file });
  expect(await revokeProjectRule(cwd, 'A')).toMatchObject({ ok: false, file });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('[RUN-43] a link is not followed', async () => {
  const other = makeProject('{"permissions":{"allow":["A"]}}');
  const { cwd, file } = makeProject(null);
  symlinkSync(other.file, file);
  expect(await projectRules(cwd)).toMatchObject({ ok: false });
  expect(await revokeProjectRule(cwd, 'A')).toMatchObject({ ok: false });
  expect(readFileSync(other.file, 'utf8')).toBe('{"permissions":{"allow":["A"]}}');
});

test('[RUN-43] a rule with a secret is taken out by what is shown of it', async () => {
  const secret = `Bash(curl -H "Authorization: Bearer sk-ant-api03-${'A1b2'.repeat(20)}" https://x.test)`;
  const { cwd, file } = makeProject(JSON.stringify({ permissions: { allow: ['WebFetch', secret] } }));
  expect(shownText(secret)).not.toBe(secret);
  expect(await revokeProjectRule(cwd, shownText(secret))).toMatchObject({ ok: true, rules: [{ rule: 'WebFetch' }] });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ permissions: { allow: ['WebFetch'] } });
});

test('[RUN-43] a directory that is none without knowing where somebody stands has no rules, and none is revoked there', async () => {
  const id = '44444444-0000-4000-8000-000000000004';
  const board = await makeBoard({ files: { [`-work/${id}.jsonl`]: [prompt('a', null, 0, 'weave', { cwd: '.' })] } });
  expect(await board.command('session_rules', { id })).toMatchObject({ directory: null, items: [], problem: null });
  const headers = { authorization: `Bearer ${board.token}` };
  const address = `/api/v1/sessions/${id}/rules/revoke`;
  expect(await board.problem(address, { method: 'POST', headers, body: JSON.stringify({ rule: 'Bash' }) })).toMatchObject({
    reason: 'directory-unknown',
  });
});
