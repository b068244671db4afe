/** The use of a tool, as far as a rule can distinguish it. */
export type Subject =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'page'; readonly text: string }
  /** Anything else, by its whole input. */
  | { readonly kind: 'input'; readonly text: string };

export type RuleShape = { readonly tool: string; readonly pattern: string; readonly directory: string | null };
export type Wanted = { readonly tool: string; readonly input: string; readonly directory: string | null };

/** RT-53: the subject of a request. An input with a field unknown to the rules only matches itself: the field may change what is done. */
export const subjectOf = (input: string): Subject => {
  const fields = fieldsOf(input);
  for (const { kind, named, beside } of KINDS) {
    const name = named.find((one) => typeof fields[one] === 'string');
    if (name === undefined) continue;
    const isKnown = Object.keys(fields).every((one) => one === name || beside.has(one));
    if (isKnown) return { kind, text: String(fields[name]) };
  }
  return { kind: 'input', text: canonical(fields) };
};

/** The pattern of a rule made from a request: the exact request, or everything like it. Null if nothing else is like it. */
export const patternFor = (input: string, breadth: 'exact' | 'alike'): string | null => {
  const { kind, text } = subjectOf(input);
  // A text that looks like a pattern would cover more than itself.
  if (breadth === 'exact') return kind !== 'input' && READS_AS_PATTERN.test(text) ? null : text;
  if (kind === 'command') return isSimple(text) ? `${leadOf(text)} *` : null;
  if (kind === 'file') return isPlainPath(text) && !DECIDES_FOR_ITSELF.test(text) ? `${text.slice(0, text.lastIndexOf('/'))}/**` : null;
  if (kind === 'page') {
    const site = SITE.exec(text)?.[0];
    return site === undefined ? null : `${site}*`;
  }
  return '*';
};

/** RT-53: whether a rule covers a request. Only an exact rule covers commands that are chained, redirected or leave their folder. */
export const isCovered = (rule: RuleShape, wanted: Wanted): boolean => {
  if (rule.tool !== wanted.tool || !isWithin(rule.directory, wanted.directory)) return false;
  const { kind, text } = subjectOf(wanted.input);
  const { pattern } = rule;
  if (pattern === text) return true;
  if (kind === 'command') return pattern.endsWith(' *') && isSimple(text) && (text === pattern.slice(0, -2) || text.startsWith(pattern.slice(0, -1)));
  if (kind === 'file') return pattern.endsWith('/**') && isPlainPath(text) && !DECIDES_FOR_ITSELF.test(text) && text.startsWith(pattern.slice(0, -2));
  if (kind === 'page') return pattern.endsWith('/*') && SITE.test(pattern) && !text.includes('\\') && text.startsWith(pattern.slice(0, -1));
  return pattern === '*';
};

const isWithin = (folder: string | null, directory: string | null): boolean =>
  folder === null || (directory !== null && (directory === folder || (isPlainPath(directory) && directory.startsWith(`${folder}/`))));

/** One program with its arguments, and no shell syntax that could start another. */
const isSimple = (command: string): boolean => command.trim() !== '' && !/[;&|<>`$(){}\\\n\r!#*?[\]~'"]/u.test(command);

/** The program and its subcommand: `git status`, `npm test`. Flags belong to the arguments. */
const leadOf = (command: string): string => {
  const [program = '', verb] = command.trim().split(/\s+/u);
  return verb !== undefined && /^[a-z][\w:-]*$/u.test(verb) ? `${program} ${verb}` : program;
};

const isPlainPath = (path: string): boolean => path.startsWith('/') && !/(?:^|\/)\.{0,2}(?:\/|$)/u.test(path.slice(1)) && !path.includes('\\');

const READS_AS_PATTERN = /(?: \*|\/\*{1,2})$/u;

/** Files that configure what a program may do, or that it runs by itself: allowed only by their own name. */
const DECIDES_FOR_ITSELF = /\/\.(?:claude|codex|opencode|gemini|qwen|pi|copilot|git|husky|vscode|mcp\.json|envrc)(?:\/|$)/iu;

const SITE = /^https?:\/\/[\w.-]+(?::\d+)?\//u;

const fieldsOf = (input: string): Readonly<Record<string, unknown>> => {
  try {
    const read: unknown = JSON.parse(input);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Readonly<Record<string, unknown>>) : { input: read }; // an object, as checked
  } catch {
    return { input };
  }
};

/** The same text for the same input, whatever the order of its fields. */
const canonical = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))));

const KINDS = [
  { kind: 'command', named: ['command'], beside: new Set(['description', 'timeout']) },
  {
    kind: 'file',
    named: ['file_path', 'notebook_path', 'path'],
    beside: new Set([
      'content',
      'old_string',
      'new_string',
      'replace_all',
      'edits',
      'offset',
      'limit',
      'new_source',
      'cell_id',
      'cell_type',
      'edit_mode',
    ]),
  },
  { kind: 'page', named: ['url'], beside: new Set(['prompt']) },
] as const satisfies readonly { readonly kind: Subject['kind']; readonly named: readonly string[]; readonly beside: ReadonlySet<string> }[];
