import { printableLine } from '@yarnboard/transcript';
import { Circle, CircleCheck, CircleDotDashed, type LucideIcon } from 'lucide-react';
import { Moment } from '../../ui/moment.tsx';
import { countOf } from '../../ui/wording.ts';
import type { TaskList } from './prompts.ts';

type TaskState = TaskList['items'][number]['state'];

/** PAGE-612: the task list as of the conversation's end. */
export const TaskListView = ({ tasks: { items, ref, uuid, at }, onGo }: { readonly tasks: TaskList; readonly onGo: (ref: string) => void }) => {
  const done = items.filter(({ state }) => state === 'completed').length;
  return (
    <section className="outline-tasks" aria-label="Tasks">
      <div className="outline-tasks-head">
        <h3>Tasks</h3>
        <span className="numbers soft">
          {countOf(done)} of {countOf(items.length)} done
        </span>
        <button type="button" className="outline-tasks-when" onClick={() => onGo(ref ?? uuid)} title="Go to the last change">
          <Moment at={at} />
        </button>
      </div>
      <progress max={items.length} value={done} aria-label="Tasks done" />
      <ul className="outline-tasks-list">
        {items.map(({ id, text, state }, n) => {
          const { icon: Icon, word } = LOOKS.get(state) ?? TO_DO;
          return (
            // Tasks that are rewritten each time have no ids.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={id ?? `${n}`} className={`outline-task outline-task-${state}`}>
              <Icon aria-hidden />
              <span className="visually-hidden">{word}: </span>
              <span>{printableLine(text)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

type Look = { readonly icon: LucideIcon; readonly word: string };
const TO_DO: Look = { icon: Circle, word: 'To do' };
const LOOKS: ReadonlyMap<TaskState, Look> = new Map([
  ['pending', TO_DO],
  ['in_progress', { icon: CircleDotDashed, word: 'In progress' }],
  ['completed', { icon: CircleCheck, word: 'Done' }],
]);
