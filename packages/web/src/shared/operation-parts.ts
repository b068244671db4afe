import { partsOf, type Json, type Part } from '@yarnboard/transcript';
import type { Hunk } from '../ui/line-diff.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type Returned = { readonly text: string; readonly images: readonly Extract<Part, { kind: 'image' }>[]; readonly others: readonly Json[] };

/** A tool's input, from the block that calls it. */
export const inputIn = (block: unknown): Fields => {
  const fields = fieldsOf(block);
  return fieldsOf(fields['input'] ?? fields['toolArguments']);
};

/** A tool's result, from the block that has it; `content` is its text if the block isn't available. */
export const resultIn = (block: unknown, content: string): Returned => {
  const fields = fieldsOf(block);
  if (fields['content'] === undefined) return { text: content, images: [], others: [] };
  const parts = partsOf({ message: { content: [{ type: 'tool_result', ...fields }] } });
  return {
    text: parts.flatMap((part) => (part.kind === 'tool-result' || part.kind === 'text' ? [part.text] : [])).join('\n'),
    images: parts.filter((part) => part.kind === 'image'),
    others: parts.flatMap((part) => (part.kind === 'other' ? [part.json] : [])),
  };
};

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The file an operation is about. */
export const fileIn = (input: Fields): string | null => textOf(input['file_path']) ?? textOf(input['notebook_path']);

/** PAGE-157: the patch that a result includes, with the file's line numbers; null if it has none. */
export const patchIn = (record: unknown): readonly Hunk[] | null => {
  const hunks = listOf(fieldsOf(fieldsOf(record)['toolUseResult'])['structuredPatch']).map((one): Hunk | null => {
    const { oldStart, oldLines, newStart, lines } = fieldsOf(one);
    if (typeof oldStart !== 'number' || typeof oldLines !== 'number' || typeof newStart !== 'number') return null;
    return { oldStart, oldLines, newStart, lines: listOf(lines).flatMap((line) => textOf(line) ?? []) };
  });
  const known = hunks.filter((hunk) => hunk !== null);
  return known.length === 0 || known.length < hunks.length ? null : known;
};

/** A file's text without the line numbers that reading adds: "    12→text", or with a tab after them. */
export const unnumbered = (text: string): { readonly text: string; readonly firstLine: number } | null => {
  const lines = text
    .replace(/\n<system-reminder>[\s\S]*$/u, '')
    .replace(/\n+$/u, '')
    .split('\n');
  const first = /^\s*(\d+)(?:→|\t)/u.exec(lines[0] ?? '')?.[1];
  if (first === undefined) return null;
  const firstLine = Number(first);
  const bare: string[] = [];
  for (const [n, line] of lines.entries()) {
    const [whole, number] = /^\s*(\d+)(?:→|\t)/u.exec(line) ?? [];
    if (whole === undefined || Number(number) !== firstLine + n) return null;
    bare.push(line.slice(whole.length));
  }
  return { text: bare.join('\n'), firstLine };
};

/** The language of a file, by its name. */
export const languageOf = (path: string | null): string => {
  const name = path?.split(/[/\\]/u).at(-1)?.toLowerCase() ?? '';
  if (name === 'dockerfile' || name === 'makefile') return name === 'makefile' ? 'makefile' : 'bash';
  return LANGUAGES.get(name.split('.').at(-1) ?? '') ?? '';
};

const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ...['ts', 'tsx', 'mts', 'cts'].map((end) => [end, 'typescript'] as const),
  ...['js', 'jsx', 'mjs', 'cjs'].map((end) => [end, 'javascript'] as const),
  ...['html', 'htm', 'xml', 'svg', 'vue'].map((end) => [end, 'xml'] as const),
  ...['sh', 'bash', 'zsh'].map((end) => [end, 'bash'] as const),
  ...['yml', 'yaml'].map((end) => [end, 'yaml'] as const),
  ...['json', 'jsonl', 'jsonc'].map((end) => [end, 'json'] as const),
  ...['c', 'h'].map((end) => [end, 'c'] as const),
  ...['cc', 'cpp', 'hpp', 'cxx'].map((end) => [end, 'cpp'] as const),
  ...['ini', 'toml', 'cfg'].map((end) => [end, 'ini'] as const),
  ['py', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['go', 'go'],
  ['java', 'java'],
  ['kt', 'kotlin'],
  ['cs', 'csharp'],
  ['php', 'php'],
  ['swift', 'swift'],
  ['sql', 'sql'],
  ['css', 'css'],
  ['scss', 'scss'],
  ['less', 'less'],
  ['md', 'markdown'],
  ['lua', 'lua'],
  ['pl', 'perl'],
  ['r', 'r'],
  ['graphql', 'graphql'],
  ['diff', 'diff'],
  ['patch', 'diff'],
]);
