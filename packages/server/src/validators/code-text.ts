import { extname } from 'node:path';

/** A definition in code, and whether it is exported. */
export type Definition = { readonly name: string; readonly line: number; readonly isExported: boolean; readonly kind: string };

/**
 * The definitions in a text, outside comments and strings; null for an unknown language. Patterns capture every name, so a name is never made into a
 * pattern.
 */
export const definitionsIn = (file: string, text: string): readonly Definition[] | null => {
  const language = LANGUAGES[extname(file).toLowerCase()];
  if (language === undefined) return null;
  const code = withoutProse(text, language);
  const found: Definition[] = [];
  const exported = language.exports === undefined ? new Set<string>() : exportsIn(code);
  for (const [i, line] of code.split('\n').entries()) {
    if (line.length > LONGEST_LINE) continue;
    for (const [kind, pattern] of language.defines) {
      const match = pattern.exec(line);
      const name = match?.groups?.['name'];
      if (name === undefined || KEYWORDS.has(name)) continue;
      found.push({ name, line: i + 1, kind, isExported: exported.has(name) || (language.isExported?.(line, name) ?? true) });
      break;
    }
  }
  return found;
};

type CodeLanguage = {
  readonly line: string;
  readonly block: readonly [string, string] | null;
  readonly quotes: readonly string[];
  readonly defines: readonly (readonly [string, RegExp])[];
  readonly exports?: true;
  readonly isExported?: (line: string, name: string) => boolean;
};

const N = '(?<name>[A-Za-z_$][\\w$]*)';
const at = (pattern: string): RegExp => new RegExp(pattern, 'u');

const script: CodeLanguage = {
  line: '//',
  block: ['/*', '*/'],
  quotes: ['"', "'", '`'],
  defines: [
    ['function', at(`^\\s*(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:async\\s+)?function\\s*\\*?\\s*${N}`)],
    ['class', at(`^\\s*(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:abstract\\s+)?class\\s+${N}`)],
    ['interface', at(`^\\s*(?:export\\s+)?(?:declare\\s+)?interface\\s+${N}`)],
    ['type', at(`^\\s*(?:export\\s+)?(?:declare\\s+)?type\\s+${N}\\s*[=<]`)],
    ['enum', at(`^\\s*(?:export\\s+)?(?:declare\\s+)?(?:const\\s+)?enum\\s+${N}`)],
    ['constant', at(`^\\s*(?:export\\s+)?(?:declare\\s+)?(?:const|let|var)\\s+${N}\\b`)],
    [
      'method',
      at(
        `^\\s*(?:(?:public|private|protected|static|async|readonly|override|get|set)\\s+)*\\*?${N}\\s*(?:<[^>]*>)?\\([^;]*\\)?\\s*(?::[^=]+)?\\{\\s*$`,
      ),
    ],
    ['property', at(`^\\s*(?:readonly\\s+)?${N}\\s*[:=]\\s*(?:async\\s*)?(?:\\(|function)`)],
  ],
  exports: true,
  isExported: (line) => /^\s*export\b/u.test(line),
};
const python: CodeLanguage = {
  line: '#',
  block: null,
  quotes: ['"""', "'''", '"', "'"],
  defines: [
    ['function', at(`^\\s*(?:async\\s+)?def\\s+${N}\\s*\\(`)],
    ['class', at(`^\\s*class\\s+${N}\\b`)],
    ['constant', at(`^${N}\\s*(?::[^=]+)?=(?!=)`)],
  ],
};
const cLike = (defines: CodeLanguage['defines'], isExported?: CodeLanguage['isExported']): CodeLanguage => ({
  line: '//',
  block: ['/*', '*/'],
  quotes: ['"', "'"],
  defines,
  ...(isExported === undefined ? {} : { isExported }),
});
const go = cLike(
  [
    ['function', at(`^func\\s+(?:\\([^)]*\\)\\s*)?${N}\\s*[\\[(]`)],
    ['type', at(`^\\s*type\\s+${N}\\b`)],
    ['constant', at(`^\\s*(?:const|var)\\s+${N}\\b`)],
  ],
  (_, name) => /^[A-Z]/u.test(name),
);
const rust = cLike(
  [
    ['function', at(`^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:(?:async|const|unsafe|extern\\s+\\S+)\\s+)*fn\\s+${N}`)],
    ['struct', at(`^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:struct|enum|trait|union|type|mod)\\s+${N}`)],
    ['constant', at(`^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?(?:const|static)\\s+(?:mut\\s+)?${N}\\s*:`)],
    ['macro', at(`^\\s*macro_rules!\\s+${N}`)],
  ],
  (line) => /\bpub\b/u.test(line),
);
const java = cLike(
  [
    [
      'class',
      at(
        `^\\s*(?:(?:public|private|protected|static|final|abstract|sealed|partial|internal|open|data|override)\\s+)*(?:class|interface|enum|record|struct|object|trait|protocol|extension)\\s+${N}`,
      ),
    ],
    [
      'function',
      at(
        `^\\s*(?:(?:public|private|protected|static|final|abstract|override|suspend|inline|open|internal)\\s+)*(?:fun|func|def)\\s+(?:<[^>]*>\\s*)?(?:[\\w.]+\\.)?${N}`,
      ),
    ],
    [
      'method',
      at(
        `^\\s*(?:(?:public|private|protected|static|final|abstract|synchronized|native|override|virtual|async|internal)\\s+)+[\\w<>\\[\\],.?\\s]+?\\s${N}\\s*\\(`,
      ),
    ],
  ],
  (line) => !/\bprivate\b/u.test(line),
);
const c = cLike([
  ['macro', at(`^\\s*#\\s*define\\s+${N}`)],
  [
    'struct',
    at(`^\\s*(?:typedef\\s+)?(?:struct|enum|union|class|namespace)\\s+${N}\\s*[{:]?\\s*$|^\\s*(?:struct|enum|union|class)\\s+(?:\\w+\\s+)?\\{`),
  ],
  ['function', at(`^[A-Za-z_][\\w\\s*&:<>,]*?[\\s*&]${N}\\s*\\([^;]*$`)],
]);
const ruby: CodeLanguage = {
  line: '#',
  block: null,
  quotes: ['"', "'"],
  defines: [
    ['function', at(`^\\s*def\\s+(?:self\\.)?${N}`)],
    ['class', at(`^\\s*(?:class|module)\\s+(?:\\w+::)*${N}`)],
    ['constant', at(`^\\s*(?<name>[A-Z]\\w*)\\s*=(?!=)`)],
  ],
};
const php = cLike([
  ['function', at(`^\\s*(?:(?:public|private|protected|static|final|abstract)\\s+)*function\\s+&?${N}`)],
  ['class', at(`^\\s*(?:(?:final|abstract|readonly)\\s+)*(?:class|interface|trait|enum)\\s+${N}`)],
]);

const LANGUAGES: Readonly<Record<string, CodeLanguage>> = {
  ...Object.fromEntries(['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'].map((one) => [one, script])),
  ...Object.fromEntries(['.py', '.pyi'].map((one) => [one, python])),
  '.go': go,
  '.rs': rust,
  ...Object.fromEntries(['.java', '.kt', '.kts', '.swift', '.cs', '.scala'].map((one) => [one, java])),
  ...Object.fromEntries(['.c', '.h', '.cc', '.cpp', '.hpp'].map((one) => [one, c])),
  '.rb': ruby,
  '.php': php,
};

export const isCode = (file: string): boolean => Object.hasOwn(LANGUAGES, extname(file).toLowerCase());

/** The names in export lists: `export { a, b as c }`, `module.exports = { a }`, `exports.a = …`. */
const exportsIn = (code: string): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [, list = ''] of code.matchAll(/(?:export|module\.exports\s*=)\s*(?:type\s*)?\{([^}]{0,20000})\}/gu))
    for (const [, name = ''] of list.matchAll(/([A-Za-z_$][\w$]*)/gu)) names.add(name);
  for (const [, name = ''] of code.matchAll(/(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=/gu)) names.add(name);
  for (const [, name = ''] of code.matchAll(/(?:export default|module\.exports\s*=)\s+([A-Za-z_$][\w$]*)/gu)) names.add(name);
  return names;
};

/** Replaces comments and strings by spaces, which keeps line numbers intact. Goes through the text once. */
const withoutProse = (text: string, { line, block, quotes }: Pick<CodeLanguage, 'line' | 'block' | 'quotes'>): string => {
  const parts: string[] = [];
  let from = 0;
  let i = 0;
  const blank = (to: number): void => {
    parts.push(text.slice(from, i), text.slice(i, to).replaceAll(/[^\n]/gu, ' '));
    from = to;
    i = to;
  };
  while (i < text.length) {
    if (text.startsWith(line, i)) {
      blank(endAt(text, '\n', i));
    } else if (block !== null && text.startsWith(block[0], i)) {
      const end = text.indexOf(block[1], i + block[0].length);
      blank(end === -1 ? text.length : end + block[1].length);
    } else {
      const quote = quotes.find((one) => text.startsWith(one, i));
      if (quote === undefined) i += 1;
      else blank(closingOf(text, i + quote.length, quote));
    }
  }
  parts.push(text.slice(from));
  return parts.join('');
};

const endAt = (text: string, mark: string, from: number): number => {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end;
};

const closingOf = (text: string, from: number, quote: string): number => {
  for (let i = from; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (char === '\\') i += 1;
    else if (text.startsWith(quote, i)) return i + quote.length;
    // A one-line string ends with its line. Otherwise an apostrophe would swallow the rest of the file.
    else if (char === '\n' && quote.length === 1 && quote !== '`') return i;
  }
  return text.length;
};

const KEYWORDS: ReadonlySet<string> = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'function',
  'else',
  'do',
  'new',
  'await',
  'typeof',
  'constructor',
]);
const LONGEST_LINE = 1000;
