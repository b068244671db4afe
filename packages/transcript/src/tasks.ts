import { listOf, objectOf, stringOf, type Json } from './json.ts';

export const TASK_STATES = ['pending', 'in_progress', 'completed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export type Task = {
  /** The tool's id for it; null if the whole list is rewritten each time. */
  readonly id: string | null;
  readonly text: string;
  readonly state: TaskState;
};

/** A call that changes the task list, and its result. */
export type TaskCall = { readonly name: string; readonly input: Json | undefined; readonly answer: string };

/** TASK-1: whether a call changes the task list, judged by its name alone. */
export const mayChangeTasks = (name: string): boolean => FORMS.has(name);

/** Whether a call writes the whole list: earlier calls no longer matter. */
export const isWholeList = (name: string): boolean => name === 'TodoWrite';

/** TASK-2: the task list after some successful calls, in their order. */
export const tasksAfter = (calls: Iterable<TaskCall>): readonly Task[] => {
  let tasks: Map<string, Task> = new Map();
  for (const call of calls) tasks = FORMS.get(call.name)?.(tasks, call) ?? tasks;
  return [...tasks.values()];
};

type Tasks = Map<string, Task>;

const written = (_: Tasks, { input }: TaskCall): Tasks =>
  new Map(
    listOf(objectOf(input)?.['todos']).flatMap((one, n) => {
      const todo = objectOf(one);
      const text = stringOf(todo?.['content']) ?? stringOf(todo?.['activeForm']);
      return text === null ? [] : [[`${n}`, { id: null, text, state: stateIn(todo?.['status']) ?? 'pending' }] as const];
    }),
  );

const created = (tasks: Tasks, { input, answer }: TaskCall): Tasks => {
  const text = stringOf(objectOf(input)?.['subject']);
  const id = /#(\d{1,9})\b/u.exec(answer)?.[1];
  return text === null || id === undefined ? tasks : tasks.set(id, { id, text, state: 'pending' });
};

const updated = (tasks: Tasks, { input }: TaskCall): Tasks => {
  const fields = objectOf(input);
  const id = stringOf(fields?.['taskId']) ?? '';
  const task = tasks.get(id);
  if (task === undefined) return tasks;
  if (fields?.['status'] === 'deleted') {
    tasks.delete(id);
    return tasks;
  }
  return tasks.set(id, { id, text: stringOf(fields?.['subject']) ?? task.text, state: stateIn(fields?.['status']) ?? task.state });
};

const stateIn = (state: Json | undefined): TaskState | null => TASK_STATES.find((one) => one === state) ?? null;

const FORMS: ReadonlyMap<string, (tasks: Tasks, call: TaskCall) => Tasks> = new Map([
  ['TodoWrite', written],
  ['TaskCreate', created],
  ['TaskUpdate', updated],
]);
