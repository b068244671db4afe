import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWholeList, mayChangeTasks, tasksAfter, type TaskCall } from '../src/index.ts';

const todos = (...list: readonly (readonly [string, string])[]): TaskCall => ({
  name: 'TodoWrite',
  input: { todos: list.map(([content, status]) => ({ content, status })) },
  answer: '',
});
const create = (n: number, subject: string): TaskCall => ({
  name: 'TaskCreate',
  input: { subject },
  answer: `Task #${n} created successfully: ${subject}`,
});
const update = (taskId: string, more: Readonly<Record<string, string>>): TaskCall => ({
  name: 'TaskUpdate',
  input: { taskId, ...more },
  answer: `Updated task #${taskId}`,
});

describe('the task list of a conversation', () => {
  test('[TASK-1] the names of calls that change it', () => {
    expect(['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'Task', 'Bash'].map(mayChangeTasks)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(['TodoWrite', 'TaskCreate'].map(isWholeList)).toEqual([true, false]);
  });

  test('[TASK-2] a list that is written whole replaces what was there; a state nobody knows is still to do', () => {
    expect(tasksAfter([todos(['spin', 'pending']), todos(['spin', 'completed'], ['weave', 'in_progress'], ['wash', 'whatever'])])).toEqual([
      { id: null, text: 'spin', state: 'completed' },
      { id: null, text: 'weave', state: 'in_progress' },
      { id: null, text: 'wash', state: 'pending' },
    ]);
  });

  test('[TASK-2] tasks that are made one by one are changed and deleted by their number', () => {
    const calls = [
      create(1, 'spin'),
      create(2, 'weave'),
      create(3, 'wash'),
      update('1', { status: 'completed' }),
      update('2', { subject: 'weave twice', status: 'in_progress' }),
      update('3', { status: 'deleted' }),
      update('9', { status: 'completed' }),
    ];
    expect(tasksAfter(calls)).toEqual([
      { id: '1', text: 'spin', state: 'completed' },
      { id: '2', text: 'weave twice', state: 'in_progress' },
    ]);
  });

  test('[TASK-2] nothing that a call holds breaks it', () => {
    const call = fc.record({ name: fc.constantFrom('TodoWrite', 'TaskCreate', 'TaskUpdate', 'Bash'), input: fc.jsonValue(), answer: fc.string() });
    fc.assert(
      fc.property(fc.array(call), (calls) => {
        const tasks = tasksAfter(calls as readonly TaskCall[]); // any JSON may stand there
        expect(tasks.every(({ text, state }) => typeof text === 'string' && ['pending', 'in_progress', 'completed'].includes(state))).toBe(true);
      }),
    );
  });
});
