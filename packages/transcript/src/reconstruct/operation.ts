import type { Json } from '../json.ts';
import { toolLine } from './tool-line.ts';

/** A tool call as one line with its icon: "📁 Listing directory: /home/user/project". */
export const operationLine = (name: string, input: Json): string => `${iconOf(name)} ${toolLine(name, input)}`;

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
