import { listOf, objectOf, stringOf, type Json, type JsonObject } from '../json.ts';
import { printableLine } from './printable.ts';

/** In progress, done, or neither: failed, refused, unanswered, or unknown. */
export const TENSES = ['now', 'done', 'plain'] as const;
export type Tense = (typeof TENSES)[number];

export type LineOptions = {
  /** `now` by default. */
  readonly tense?: Tense;
  /** Paths below it are shown relative to it. */
  readonly cwd?: string | null;
};

/** SHOW-7: what a tool call does, in one readable line: "Reading src/main.py". */
export const toolLine = (name: string, input: Json, { tense = 'now', cwd = null }: LineOptions = {}): string => {
  const call: Call = { fields: objectOf(input) ?? {}, tense, cwd: cwd === null ? null : cwd.replace(/[/\\]+$/u, '') };
  const line = LINES.get(name)?.(call) ?? '';
  return oneLine(line === '' ? anything(name, call) : line);
};

type Call = { readonly fields: JsonObject; readonly tense: Tense; readonly cwd: string | null };
type Words = Readonly<Record<Tense, string>>;

const READ: Words = { now: 'Reading', done: 'Read', plain: 'Read' };
const WRITE: Words = { now: 'Writing', done: 'Wrote', plain: 'Write' };
const EDIT: Words = { now: 'Editing', done: 'Edited', plain: 'Edit' };
const RUN: Words = { now: 'Running', done: 'Ran', plain: 'Run' };
const LIST: Words = { now: 'Listing directory:', done: 'Listed directory:', plain: 'List directory:' };
const FIND: Words = { now: 'Finding files', done: 'Looked for files', plain: 'Find files' };
const SEARCH: Words = { now: 'Searching for', done: 'Searched for', plain: 'Search for' };
const FETCH: Words = { now: 'Fetching', done: 'Fetched', plain: 'Fetch' };
const SEARCH_WEB: Words = { now: 'Searching the web for', done: 'Searched the web for', plain: 'Search the web for' };
const UPDATE: Words = { now: 'Updating', done: 'Updated', plain: 'Update' };
const DELEGATE: Words = { now: 'Delegating', done: 'Delegated', plain: 'Delegate' };

const say =
  (words: Words, key: string) =>
  ({ fields, tense }: Call): string => {
    const value = stringOf(fields[key]);
    return value === null ? '' : `${words[tense]} ${value}`;
  };

const sayPath =
  (words: Words, key: string) =>
  ({ fields, tense, cwd }: Call): string => {
    const path = stringOf(fields[key]);
    return path === null ? '' : `${words[tense]} ${shortPath(path, cwd)}`;
  };

const LINES: ReadonlyMap<string, (call: Call) => string> = new Map([
  ['Bash', (call) => run(call)],
  ['Read', sayPath(READ, 'file_path')],
  ['Write', sayPath(WRITE, 'file_path')],
  ['Edit', sayPath(EDIT, 'file_path')],
  ['MultiEdit', sayPath(EDIT, 'file_path')],
  ['NotebookEdit', sayPath(EDIT, 'notebook_path')],
  ['LS', sayPath(LIST, 'path')],
  ['Glob', say(FIND, 'pattern')],
  ['Grep', say(SEARCH, 'pattern')],
  ['WebFetch', say(FETCH, 'url')],
  ['WebSearch', say(SEARCH_WEB, 'query')],
  ['TodoWrite', ({ fields, tense }) => `${UPDATE[tense]} ${listOf(fields['todos']).length} todos`],
  ['Task', (call) => delegate(call)],
  ['Agent', (call) => delegate(call)],
]);

// Claude describes the purpose of a command; its initial `cd` is irrelevant on one line.
const run = ({ fields, tense }: Call): string => {
  const command = (stringOf(fields['command']) ?? '').slice(0, MOST_READ);
  const shown = withoutCd(command);
  const why = (stringOf(fields['description']) ?? '').trim();
  return why === '' ? `${RUN[tense]} ${shown}` : `${why} · ${shown}`;
};

const withoutCd = (command: string): string => {
  const [before = ''] = LEADING_CD.exec(command) ?? [];
  const rest = command.slice(before.length);
  return rest.trim() === '' ? command : rest;
};

const LEADING_CD = /^\s*(?:cd\s+(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|"']+)\s*(?:&&|;|\n)\s*)+/u;

const delegate = ({ fields, tense }: Call): string => {
  const agent = stringOf(fields['subagent_type']);
  const what = stringOf(fields['description']) ?? stringOf(fields['prompt']) ?? '';
  return `${DELEGATE[tense]}${agent === null ? '' : ` to ${agent}`}: ${what}`;
};

const anything = (name: string, { fields, cwd }: Call): string => {
  const given = Object.entries(fields).flatMap(([key, value]) => {
    const text = plainValue(value, cwd);
    return text === '' ? [] : [{ key, text }];
  });
  const [, server, tool] = /^mcp__(.+?)__(.+)$/su.exec(name) ?? [];
  if (server !== undefined && tool !== undefined) {
    const [first] = given;
    return `${server}: ${tool.replace(/[_-]+/gu, ' ')}${first === undefined ? '' : ` (${first.text})`}`;
  }
  return given.length === 0 ? name : `${name} (${given.map(({ key, text }) => `${key}: ${text}`).join(', ')})`;
};

const plainValue = (value: Json | undefined, cwd: string | null): string => {
  if (typeof value === 'string') return /^(?:\/|[A-Za-z]:\\)\S+$/u.test(value) ? shortPath(value, cwd) : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

const shortPath = (path: string, cwd: string | null): string => {
  if (cwd !== null && cwd !== '') {
    if (path === cwd) return '.';
    const rest = path.startsWith(cwd) && /^[/\\]/u.test(path.slice(cwd.length)) ? path.slice(cwd.length).replace(/^[/\\]+/u, '') : '';
    if (rest !== '') return rest;
  }
  if (path.length <= MOST_PATH) return path;
  const names = path.split(/[/\\]+/u);
  let shown = names.pop() ?? '';
  for (let name = names.pop(); name !== undefined && name !== '' && shown.length + name.length < MOST_PATH - 3; name = names.pop()) {
    shown = `${name}/${shown}`;
  }
  return `…/${shown}`;
};

const oneLine = (text: string): string => {
  // Far more than is shown: a written file isn't scanned as a whole for one line.
  const line = printableLine(text.slice(0, MOST_READ));
  if (line.length <= MOST_LINE) return line;
  const cut = line.slice(0, MOST_LINE - 1);
  const last = cut.charCodeAt(cut.length - 1);
  return `${last >= 0xd800 && last < 0xdc00 ? cut.slice(0, -1) : cut}…`; // half a character isn't text
};

const MOST_LINE = 160;
const MOST_PATH = 40;
const MOST_READ = 4000;
