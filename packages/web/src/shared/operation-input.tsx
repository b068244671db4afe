import { printableLine } from '@yarnboard/transcript';
import { Circle, CircleCheck, CircleDotDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { Code } from '../ui/code.tsx';
import { Diff, PatchDiff } from '../ui/diff.tsx';
import type { Hunk } from '../ui/line-diff.ts';
import { Markdown } from '../ui/markdown.tsx';
import { Scroller } from '../ui/scroller.tsx';
import './operation-input.css';
import { fieldsOf, listOf, textOf, type Fields } from './operation-parts.ts';

/** PAGE-20: a tool's input, in its most readable form. */
export const OperationInput = ({
  name,
  input,
  patch,
}: {
  readonly name: string;
  readonly input: Fields;
  /** The change it made, if known. */ readonly patch: readonly Hunk[] | null;
}) => {
  if (patch !== null && CHANGING.has(name)) return <PatchDiff hunks={patch} />;
  const shown = FORMS.get(name)?.(input) ?? null;
  return shown ?? (Object.keys(input).length === 0 ? <p className="operation-none">No input</p> : <Json value={input} />);
};

export const Json = ({ value }: { readonly value: unknown }) => <Code text={JSON.stringify(value, null, 2)} language="json" />;

type Form = (input: Fields) => ReactNode;

const command: Form = (input) => {
  const text = textOf(input['command']);
  if (text === null) return null;
  const about = textOf(input['description']);
  return (
    <>
      {about === null ? null : <p className="operation-words">{printableLine(about)}</p>}
      <Code text={text} language="bash" label="Command" />
    </>
  );
};

const edit: Form = (input) => {
  const before = textOf(input['old_string']);
  const after = textOf(input['new_string']);
  return before === null || after === null ? null : <Diff before={before} after={after} firstLine={null} />;
};

const edits: Form = (input) => {
  const list = listOf(input['edits']).map((one) => edit(fieldsOf(one)));
  return list.length === 0 || list.includes(null) ? null : (
    <ol className="operation-edits">
      {list.map((one, n) => (
        // Edits have no ids, and are never reordered.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={n}>{one}</li>
      ))}
    </ol>
  );
};

const write: Form = (input) => {
  const content = textOf(input['content']);
  return content === null ? null : <Diff before="" after={content} />;
};

const notebook: Form = (input) => {
  const source = textOf(input['new_source']);
  return source === null ? null : <Code text={source} language={input['cell_type'] === 'markdown' ? 'markdown' : 'python'} />;
};

/** Inputs with nothing but a file or a pattern are covered by the line and the result; anything else is shown. */
const only =
  (...names: readonly string[]): Form =>
  (input) =>
    Object.keys(input).every((key) => names.includes(key)) ? <></> : null;

const delegation: Form = (input) => {
  const prompt = textOf(input['prompt']);
  return prompt === null ? null : (
    <Scroller className="operation-prompt" label="Prompt">
      <Markdown text={prompt.slice(0, MOST_SHOWN)} />
    </Scroller>
  );
};

const todos: Form = (input) => {
  const list = listOf(input['todos']).map(fieldsOf);
  if (list.length === 0) return null;
  return (
    <ul className="operation-todos">
      {list.map((todo, n) => {
        const status = textOf(todo['status']) ?? 'pending';
        const Icon = status === 'completed' ? CircleCheck : status === 'in_progress' ? CircleDotDashed : Circle;
        return (
          // Todos have no ids.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={n} className={`operation-todo-${status === 'completed' ? 'done' : 'open'}`}>
            <Icon aria-hidden />
            <span className="visually-hidden">{status.replaceAll('_', ' ')}: </span>
            {printableLine(textOf(todo['content']) ?? '')}
          </li>
        );
      })}
    </ul>
  );
};

const plan: Form = (input) => {
  const text = textOf(input['plan']);
  return text === null ? null : (
    <Scroller className="operation-prompt" label="Plan">
      <Markdown text={text.slice(0, MOST_SHOWN)} />
    </Scroller>
  );
};

/** PAGE-612: a question with its choices, and the answer if the call has it. */
const questions: Form = (input) => {
  const asked = listOf(input['questions']).map(fieldsOf);
  const answers = fieldsOf(input['answers']);
  if (asked.length === 0) return null;
  return (
    <ul className="operation-questions">
      {asked.map((one, n) => {
        const question = textOf(one['question']) ?? '';
        const answer = textOf(answers[question]);
        return (
          // Questions are never reordered.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={n}>
            <p className="operation-words">{printableLine(question)}</p>
            <ul>
              {listOf(one['options'])
                .map(fieldsOf)
                .map((option, at) => {
                  const label = printableLine(textOf(option['label']) ?? '');
                  const about = textOf(option['description']);
                  const isChosen = answer !== null && answer.split(', ').includes(textOf(option['label']) ?? '');
                  const Icon = isChosen ? CircleCheck : Circle;
                  return (
                    // oxlint-disable-next-line react/no-array-index-key -- nor do their choices
                    <li key={at} className={isChosen ? 'operation-chosen' : undefined}>
                      <Icon aria-hidden />
                      <span>
                        {isChosen ? <span className="visually-hidden">Chosen: </span> : null}
                        {label}
                        {about === null ? null : <span className="soft"> – {printableLine(about)}</span>}
                      </span>
                    </li>
                  );
                })}
            </ul>
            {answer === null ? null : <p>Answered: {printableLine(answer)}</p>}
          </li>
        );
      })}
    </ul>
  );
};

const newTask: Form = (input) => {
  const subject = textOf(input['subject']);
  const about = textOf(input['description']);
  return subject === null ? null : (
    <>
      <p className="operation-words">{printableLine(subject)}</p>
      {about === null ? null : <p>{printableLine(about)}</p>}
    </>
  );
};

const taskChange: Form = (input) => {
  const id = textOf(input['taskId']);
  const status = textOf(input['status']);
  return id === null || status === null || Object.keys(input).length > 2 ? null : (
    <p className="operation-words">
      Task {printableLine(id)}: {printableLine(status.replaceAll('_', ' '))}
    </p>
  );
};

const MOST_SHOWN = 40_000;

const FORMS: ReadonlyMap<string, Form> = new Map([
  ['Bash', command],
  ['PowerShell', command],
  ['Edit', edit],
  ['MultiEdit', edits],
  ['Write', write],
  ['NotebookEdit', notebook],
  ['Read', only('file_path')],
  ['LS', only('path')],
  ['Glob', only('pattern')],
  ['Task', delegation],
  ['Agent', delegation],
  ['TodoWrite', todos],
  ['TaskCreate', newTask],
  ['TaskUpdate', taskChange],
  ['AskUserQuestion', questions],
  ['ExitPlanMode', plan],
]);

/** Tools that change files. */
export const CHANGING: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write']);
