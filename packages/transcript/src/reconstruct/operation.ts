import type { Json } from '../json.ts';
import type { Part } from './parts.ts';
import type { Source } from './source.ts';
import { toolLine, type LineOptions } from './tool-line.ts';

/** A tool call as one line with its icon: "📁 Listing directory: /home/user/project". */
export const operationLine = (name: string, input: Json, options: LineOptions = {}): string => `${iconOf(name)} ${toolLine(name, input, options)}`;

/** The line of a tool call in a known session, which also knows the result. */
export const usedLine = ({ session, project }: Pick<Source, 'session' | 'project'>, { id, name, input }: UsePart): string => {
  const result = session.results.get(id)?.result;
  return toolLine(name, input, { cwd: project, tense: result?.isError === false ? 'done' : 'plain' });
};

type UsePart = Extract<Part, { readonly kind: 'tool-use' }>;

export const iconOf = (name: string): string => ICONS.get(name) ?? (name.startsWith('mcp__') ? '🔌' : '🔧');

const ICONS: ReadonlyMap<string, string> = new Map([
  ['Bash', '💻'],
  ['BashOutput', '💻'],
  ['KillShell', '💻'],
  ['Read', '📄'],
  ['Write', '📝'],
  ['Edit', '✏️'],
  ['MultiEdit', '✏️'],
  ['NotebookEdit', '✏️'],
  ['LS', '📁'],
  ['Glob', '🔍'],
  ['Grep', '🔎'],
  ['WebFetch', '🌐'],
  ['WebSearch', '🌐'],
  ['TodoWrite', '✅'],
  ['Task', '🤖'],
  ['Agent', '🤖'],
]);
