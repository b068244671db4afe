import { describe, expect, test } from 'vitest';
import { titleOf } from '@yarnboard/transcript';
import {
  aroundOf,
  expectedAround,
  nodesOf,
  readScenario,
  scenarios,
  sidechainOf,
  toldOf,
  usageIn,
  type Around,
  type ExpectedCall,
  type ExpectedSession,
} from './told.ts';

const SCENARIOS = scenarios('codex');

/** The same call under the name that everything else knows for it (CODEX-5). */
const NAMES: Readonly<Record<string, string>> = { exec_command: 'Bash', spawn_agent: 'Agent', update_plan: 'TodoWrite', shell: 'Bash' };

const callOf = (call: ExpectedCall): object => ({
  id: call.id,
  name: call.name === 'apply_patch' ? (String(call.input).includes('Add File') ? 'Write' : 'Edit') : (NAMES[call.name] ?? call.name),
  words: wordsIn(lineIn(call.input)),
  ...(call.result == null || call.result_stored === false ? {} : { result: printedIn(call.result) }),
  ...(call.failed === true ? { failed: true } : {}),
});

/** A line of a shell, however it is started. */
const lineIn = (input: unknown): unknown => {
  const command: unknown = (input as { readonly command?: unknown } | null)?.command; // as the model wrote it
  return Array.isArray(command) && command[1] === '-lc' ? { command: command[2] as unknown } : input;
};

const plain = ({ input, result, ...call }: ExpectedCall): object => ({
  ...call,
  words: wordsIn(input),
  ...(result == null ? {} : { result: printedIn(result) }),
});

/** What is asked for, under whatever keys: all words of the call, without the signs of a patch. */
const wordsIn = (input: unknown): readonly string[] => {
  const said =
    typeof input === 'string' ? input.replace(/^\*\*\*.*File: /gmu, '').replace(/^(?:\*\*\*.*|@@.*|[-+])/gmu, '') : valuesIn(input).join(' ');
  return [...new Set(said.split(/\s+/u))].filter((word) => word !== '').sort();
};

const valuesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [String(value)];

/** What was printed, without the lines in front of it: how long it took is told by some versions to the model alone. */
const printedIn = (result: string): string =>
  (result.startsWith('{"output":') ? outputIn(result) : result).replace(/^(?:Exit code: \d+\n)?Wall time: [\d.]+ seconds\nOutput:\n(?=Success)/u, '');

const outputIn = (result: string): string => (JSON.parse(result) as { readonly output: string }).output; // as the CLI wrote it

const expectedOf = ({ messages }: ExpectedSession): readonly object[] =>
  messages
    .filter(({ stored }) => stored !== false)
    .map(({ stored: _stored, injected: _injected, usage, tool_calls: calls, ...message }) => ({
      ...message,
      ...(usage === undefined ? {} : { usage: { input: usage.input, cached: usage.cached, output: usage.output } }),
      ...(calls === undefined ? {} : { tool_calls: calls.map(callOf) }),
    }));

const AROUND: Around = { hasBranch: true, interrupted: / (?:interrupt|intshell)$/u, hasErrors: true, hasFiles: true };

describe.each(SCENARIOS)('$name', ({ name, folder, sessions }) => {
  test('[CODEX-3] is reported as it happened', () => {
    const { read, close } = readScenario(folder);
    try {
      expect(read.map(({ group }) => group.sessionId).sort()).toEqual(
        sessions
          .filter(({ kind }) => kind !== 'subagent')
          .map(({ id }) => id)
          .sort(),
      );
      for (const expected of sessions) {
        const one = read.find(({ session }) => session.id === expected.id || session.agents.has(expected.id));
        if (one === undefined) throw new Error(`${expected.id} was not read`);
        const told = toldOf(one, expected.id).map(({ tool_calls: calls, ...message }) => ({
          ...message,
          ...(calls === undefined ? {} : { tool_calls: calls.map(plain) }),
        }));
        expect(told).toEqual(expectedOf(expected));
        const { session } = one;
        expect(aroundOf(one, expected.id, folder)).toEqual(expectedAround(expected, { name, folder, sessions }, AROUND));
        expect([...session.projects]).toEqual([expected.cwd]);
        const models = new Set(nodesOf(session, expected.id).flatMap(({ entry: { model } }) => model ?? []));
        // A model that only a lost answer would have named is not in the file.
        const isAnswered = expected.messages.some(({ role, stored }) => role === 'assistant' && stored !== false);
        expect([...models]).toEqual(isAnswered ? expected.models : []);
        expect(titleOf(session)).toBe(expected.title ?? titleOf(session));
        expect([...session.forkedFrom]).toEqual(expected.kind === 'fork' ? [expected.forked_from] : []);
        const chain = sidechainOf(one, expected.id);
        expect(chain && { calls: chain.toolUseIds, parent: chain.parentId ?? session.id, state: chain.state }).toEqual(
          expected.kind === 'subagent' ? { calls: [expected.spawned_by_call], parent: expected.parent, state: 'complete' } : undefined,
        );
        const usage = nodesOf(session, expected.id)
          .flatMap(({ entry }) => (entry.usage === null ? [] : [usageIn(entry.usage)]))
          .reduce((a, b) => ({ input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output }), {
            input: 0,
            cached: 0,
            output: 0,
          });
        const own = expected.own_requests ?? [];
        const wanted = [
          expected.kind === 'fork' ? expected.usage : (expected.usage_in_files ?? expected.usage),
          ...own.map((request) => request.usage),
        ];
        expect(usage).toEqual(
          wanted.reduce((a, b) => ({ input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output }), {
            input: 0,
            cached: 0,
            output: 0,
          }),
        );
      }
    } finally {
      close();
    }
  });
});
