import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationLine, printableLine, TENSES, toolLine, usedLine, type Json, type LineOptions } from '../src/index.ts';
import { mainOf, prompt, reply, result, use } from './reading.ts';

const CWD = '/home/ada/loom';

describe('the line of a tool call', () => {
  test.each<[string, string, Json, LineOptions, string]>([
    ['a file below the folder', 'Read', { file_path: `${CWD}/src/rim.ts` }, { cwd: CWD }, 'Reading src/rim.ts'],
    ['a file beside it', 'Read', { file_path: '/home/ada/loom-old/rim.ts' }, { cwd: CWD }, 'Reading /home/ada/loom-old/rim.ts'],
    ['the folder itself', 'LS', { path: CWD }, { cwd: `${CWD}/` }, 'Listing directory: .'],
    [
      'a file far away',
      'Edit',
      { file_path: '/Users/ada/Documents/github/weaving/worktrees/blue/src/loom/rim.ts' },
      { cwd: CWD },
      'Editing …/worktrees/blue/src/loom/rim.ts',
    ],
    ['a file of Windows', 'Write', { file_path: 'C:\\looms\\src\\rim.ts' }, { cwd: 'C:\\looms' }, 'Writing src\\rim.ts'],
    ['a command', 'Bash', { command: 'npm test' }, {}, 'Running npm test'],
    ['a command with what it is for', 'Bash', { command: 'npm test', description: 'Run the tests' }, { tense: 'done' }, 'Run the tests · npm test'],
    ['a command in another folder', 'Bash', { command: 'cd /a/b && cd "c d" ; go test ./...' }, { tense: 'done' }, 'Ran go test ./...'],
    ['a command that only goes somewhere', 'Bash', { command: 'cd /a && ' }, { tense: 'done' }, 'Ran cd /a &&'],
    ['a program that begins like it', 'Bash', { command: 'cdk deploy && ls' }, { tense: 'plain' }, 'Run cdk deploy && ls'],
    ['todos', 'TodoWrite', { todos: [1, 2] }, { tense: 'done' }, 'Updated 2 todos'],
    ['a sub-agent', 'Agent', { subagent_type: 'Explore', description: 'count' }, { tense: 'done' }, 'Delegated to Explore: count'],
    ['a tool of a server', 'mcp__github__create_issue', { labels: ['x'], title: 'It leaks', body: 'y' }, {}, 'github: create issue (It leaks)'],
    ['a tool of a server without arguments', 'mcp__claude_ai_Mail__list-drafts', {}, {}, 'claude_ai_Mail: list drafts'],
    [
      'a tool that nobody knows',
      'TaskUpdate',
      { taskId: '1', status: 'done', more: { a: 1 }, n: 2 },
      {},
      'TaskUpdate (taskId: 1, status: done, n: 2)',
    ],
    ['a tool without anything', 'ExitPlanMode', null, {}, 'ExitPlanMode'],
  ])('[SHOW-7] says what is done with what: %s', (_, name, input, options, line) => {
    expect(toolLine(name, input, options)).toBe(line);
  });

  test('[SHOW-7] what was done reads as done, what failed or was not answered as neither', () => {
    const calls = ['t1', 't2', 't3'].map((id) => use(id, 'Read', { file_path: `${CWD}/rim.ts` }));
    const failed = {
      ...result('r2', 'a', 't2'),
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', is_error: true, content: 'no' }] },
    };
    const session = mainOf(prompt('u', null), reply('a', 'u', 'm', calls), result('r1', 'a', 't1'), failed);
    const lineOf = (id: string): string =>
      usedLine({ session, project: CWD }, { kind: 'tool-use', id, name: 'Edit', input: { file_path: `${CWD}/rim.ts` } });
    expect(['t1', 't2', 't3'].map(lineOf)).toEqual(['Edited rim.ts', 'Edit rim.ts', 'Edit rim.ts']);
  });

  test('[SHOW-7] whatever a tool is given, it is one line of at most 160 characters that no terminal obeys', () => {
    const names = fc.oneof(fc.constantFrom('Bash', 'Read', 'LS', 'Task', 'TodoWrite', 'mcp__a__b', 'mcp____', 'X'), fc.string({ unit: 'binary' }));
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'binary' }).map((one) => `cd ${one} && ${one}`),
    );
    const input = fc.oneof(
      fc.jsonValue() as fc.Arbitrary<Json>,
      fc.dictionary(fc.constantFrom('command', 'description', 'file_path', 'path', 'prompt', 'subagent_type', 'other'), text),
    );
    const options = fc.record({ cwd: fc.option(fc.string()), tense: fc.constantFrom(...TENSES) });
    fc.assert(
      fc.property(names, input, options, (name, given, how) => {
        const line = toolLine(name, given, how);
        expect(line.length).toBeLessThanOrEqual(160);
        expect(printableLine(line)).toBe(line);
        expect(operationLine(name, given, how).endsWith(` ${line}`)).toBe(true);
      }),
    );
  });
});
