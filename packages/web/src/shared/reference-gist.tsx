import { parseRef } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { useAsk } from '../live/hooks.tsx';
import { gistOf } from '../ui/gist.ts';
import { nameOf } from './names.ts';
import './reference-picker.css';

/** What a reference stands for, in one line; or that it doesn't exist. */
export const ReferenceGist = ({ to, isNamed = true }: { readonly to: string; readonly isNamed?: boolean }) => {
  const isFile = isFileRef(to);
  const { data, error } = useAsk('reference', { ref: to }, { isWanted: !isFile, staleMs: 60_000 });
  const name = isNamed ? `${to} ` : '';
  if (isFile) return <span className="reference-gist soft">{name}a file, known by its hash</span>;
  if (error !== null) return <span className="reference-gist reference-gist-bad">{printableLine(error.message)}</span>;
  if (data === undefined) return <span className="reference-gist faint">{name}…</span>;
  return (
    <span className="reference-gist soft">
      {name}
      {wordsOf(data)}
    </span>
  );
};

const isFileRef = (text: string): boolean => {
  const ref = parseRef(text);
  return ref.ok && ref.value.kind === 'file';
};

const wordsOf = ({ message, thing, createdBy, kind }: InsideOutput<'reference'>): string => {
  const said = saidIn({ message, thing });
  const by = message === null ? nameOf(createdBy) : message.role;
  return said === '' ? `${kind} by ${by}` : `${by}: ${inShort(said)}`;
};

/** The text behind a reference; empty if there is none. */
export const saidIn = ({ message, thing }: Pick<InsideOutput<'reference'>, 'message' | 'thing'>): string => message?.content ?? textIn(thing ?? {});

/** Items of the board have the form of their own operation, with wire field names. */
const textIn = (thing: Readonly<Record<string, unknown>>): string => {
  const text = ['key_insight', 'content', 'task_description', 'task_definition', 'file_path', 'note'].map((key) => thing[key]).find(isText);
  return text ?? '';
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** As one line, without Markdown syntax. */
export const inShort = (text: string, most = 120): string => gistOf(text, most);
