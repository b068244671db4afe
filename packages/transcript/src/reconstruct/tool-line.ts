import { listOf, objectOf, stringOf, type Json, type JsonObject } from '../json.ts';

/** What a tool call does, in one line a person can read: "Reading /src/main.py". */
export const toolLine = (name: string, input: Json): string => {
  const fields = objectOf(input) ?? {};
  const line = LINES.get(name)?.(fields) ?? '';
  return oneLine(line === '' ? anything(name, fields) : line);
};

const say = (words: string, key: string) => (fields: JsonObject) => {
  const value = stringOf(fields[key]);
  return value === null ? '' : `${words} ${value}`;
};

const LINES: ReadonlyMap<string, (fields: JsonObject) => string> = new Map([
  ['Bash', (fields) => `Running ${stringOf(fields['command']) ?? ''}`],
  ['Read', say('Reading', 'file_path')],
  ['Write', say('Writing', 'file_path')],
  ['Edit', say('Editing', 'file_path')],
  ['MultiEdit', say('Editing', 'file_path')],
  ['NotebookEdit', say('Editing', 'notebook_path')],
  ['LS', say('Listing directory:', 'path')],
  ['Glob', say('Finding files', 'pattern')],
  ['Grep', say('Searching for', 'pattern')],
  ['WebFetch', say('Fetching', 'url')],
  ['WebSearch', say('Searching the web for', 'query')],
  ['TodoWrite', (fields) => `Updating ${listOf(fields['todos']).length} todos`],
  ['Task', (fields) => delegate(fields)],
  ['Agent', (fields) => delegate(fields)],
]);

const delegate = (fields: JsonObject): string => {
  const agent = stringOf(fields['subagent_type']);
  const what = stringOf(fields['description']) ?? stringOf(fields['prompt']) ?? '';
  return `Delegating${agent === null ? '' : ` to ${agent}`}: ${what}`;
};

const anything = (name: string, fields: JsonObject): string => `${name} ${JSON.stringify(fields)}`;

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
};
