import { extname, basename } from 'node:path';

/** One setting of a file: the names that lead to it, its value as written and its line. */
export type Setting = { readonly path: readonly string[]; readonly value: string; readonly line: number };

/** Reads a file's settings; the file name determines the format. Bounded, and evaluates nothing; null for an unknown format. */
export const settingsIn = (file: string, text: string): readonly Setting[] | null => {
  const reader = readerOf(file);
  return reader === null ? null : reader(text.replace(/^\uFEFF/u, '')).slice(0, MOST_SETTINGS);
};

type SettingsReader = (text: string) => readonly Setting[];

const readerOf = (file: string): SettingsReader | null => {
  const name = basename(file).toLowerCase();
  const extension = extname(name);
  return READERS[extension] ?? (extension === '' || /^\.(?:conf|cnf|rc)$/u.test(extension) || name.endsWith('rc') ? readDirectives : null);
};

/** JSON, with comments and trailing commas. A value that spans lines does not count as a setting. */
const readJson: SettingsReader = (text) => {
  const settings: Setting[] = [];
  const path: (string | null)[] = [];
  let key: string | null = null;
  let line = 1;
  let at = 0;
  const isIn = (): boolean => path.length > 0;
  while (at < text.length && settings.length < MOST_SETTINGS && path.length <= MOST_DEPTH) {
    const char = text.charAt(at);
    if (char === '\n') line += 1;
    if (text.startsWith('//', at)) {
      at = endOf(text, '\n', at);
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      const to = end === -1 ? text.length : end + 2;
      line += linesIn(text.slice(at, to));
      at = to;
    } else if (char === '"' || char === "'") {
      const end = stringEnd(text, at, char);
      const inside = text.slice(at + 1, end);
      at = end + 1;
      const next = /^\s*:/u.exec(text.slice(at, at + 50));
      if (next !== null && key === null && isIn()) {
        key = inside;
        at += next[0].length - 1;
        line += linesIn(next[0]);
      } else {
        settings.push({ path: namesIn(path, key), value: inside, line });
        key = null;
      }
    } else if (char === '{' || char === '[') {
      path.push(key);
      key = null;
      at += 1;
    } else if (char === '}' || char === ']') {
      path.pop();
      key = null;
      at += 1;
    } else {
      const [word] = /^[\w.+-]+/u.exec(text.slice(at, at + 100)) ?? [];
      if (word === undefined) {
        at += 1;
      } else {
        settings.push({ path: namesIn(path, key), value: word, line });
        key = null;
        at += word.length;
      }
    }
  }
  return settings.filter(({ path: names }) => names.length > 0);
};

const namesIn = (path: readonly (string | null)[], key: string | null): readonly string[] =>
  [...path, key].flatMap((name) => (name === null ? [] : [name]));
const linesIn = (text: string): number => text.split('\n').length - 1;
const endOf = (text: string, mark: string, from: number): number => {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end;
};
const stringEnd = (text: string, from: number, quote: string): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
};

/** TOML and INI: sections in brackets, and `key = value` on one line. */
const readSections =
  (comment: RegExp, sign: RegExp): SettingsReader =>
  (text) => {
    const settings: Setting[] = [];
    let section: readonly string[] = [];
    for (const [i, raw] of text.split('\n').entries()) {
      const line = raw.trim();
      if (line === '' || comment.test(line)) continue;
      const [, head] = /^\[{1,2}\s*([^\]]+?)\s*\]{1,2}/u.exec(line) ?? [];
      if (head !== undefined) {
        section = dotted(head);
        continue;
      }
      const match = sign.exec(line);
      if (match === null) continue;
      const key = line.slice(0, match.index).trim();
      const value = unquoted(line.slice(match.index + match[0].length));
      if (key !== '' && key.length <= 200 && value !== '') settings.push({ path: [...section, ...dotted(key)], value, line: i + 1 });
    }
    return settings;
  };

const dotted = (name: string): readonly string[] => name.split('.').map((part) => part.trim().replaceAll(/^["']|["']$/gu, ''));

/** The value without quotes or a trailing comment. */
const unquoted = (text: string): string => {
  const said = text.trim();
  const quote = said.charAt(0);
  if (quote === '"' || quote === "'") return said.slice(1, stringEnd(said, 0, quote));
  return said
    .replace(/\s+[#;].*$/u, '')
    .replace(/,$/u, '')
    .trim();
};

/** The YAML that settings use: maps by indentation, one value per line. Anchors, aliases and tags are ignored, so nothing can expand. */
const readYaml: SettingsReader = (text) => {
  const settings: Setting[] = [];
  let stack: readonly { readonly indent: number; readonly name: string }[] = [];
  let block: number | null = null;
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\t/gu, '  ').trimEnd();
    if (line.trim() === '' || /^\s*#/u.test(line) || /^(?:---|\.\.\.|%)/u.test(line)) continue;
    const indent = line.length - line.trimStart().length;
    if (block !== null && indent > block) continue;
    block = null;
    const [, dash = '', key, rest = ''] = /^\s*((?:-\s+)*)("[^"]{1,200}"|'[^']{1,200}'|[\w.$@/-]{1,200})\s*:(?:\s+(.*))?$/u.exec(line) ?? [];
    if (key === undefined) continue;
    const at = indent + dash.length;
    stack = stack.filter((one) => one.indent < at).slice(0, MOST_DEPTH);
    const name = key.replaceAll(/^["']|["']$/gu, '');
    const value = unquoted(rest);
    if (/^[|>]/u.test(value)) block = indent;
    else if (value === '' || /^[&!]/u.test(value)) stack = [...stack, { indent: at, name }];
    else if (!/^[*{[]/u.test(value)) settings.push({ path: [...stack.map((one) => one.name), ...name.split('.')], value, line: i + 1 });
  }
  return settings;
};

/** `key value`, `key = value;` and blocks in braces, as in nginx, redis and postgresql. */
const readDirectives: SettingsReader = (text) => {
  const settings: Setting[] = [];
  const blocks: string[] = [];
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\s+#.*$/u, '').trim();
    if (line === '' || /^[#;]/u.test(line)) continue;
    if (line.endsWith('{')) {
      if (blocks.length < MOST_DEPTH) blocks.push(line.slice(0, -1).trim().split(/\s+/u)[0] ?? '');
      continue;
    }
    if (line.startsWith('}')) {
      blocks.pop();
      continue;
    }
    const [, key, value] = /^([\w.-]{1,200})(?:\s*[=:]\s*|\s+)(.+?);?$/u.exec(line) ?? [];
    if (key !== undefined && value !== undefined) settings.push({ path: [...blocks, ...key.split('.')], value: unquoted(value), line: i + 1 });
  }
  return settings;
};

/** XML: elements with text, and attributes. Entities and doctypes are not expanded. */
const readXml: SettingsReader = (text) => {
  const settings: Setting[] = [];
  const path: string[] = [];
  let line = 1;
  let before = 0;
  for (const match of text.matchAll(/<!--[\s\S]{0,20000}?-->|<(\/?)([\w:.-]{1,100})([^<>]{0,2000}?)(\/?)>([^<>]{0,500})/gu)) {
    line += linesIn(text.slice(before, match.index));
    before = match.index;
    const [, closing, name, attributes = '', isSingle, inside = ''] = match;
    if (name === undefined) continue;
    if (closing === '/') {
      path.pop();
      continue;
    }
    if (path.length > MOST_DEPTH || settings.length >= MOST_SETTINGS) break;
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([\w:.-]{1,100})\s*=\s*"([^"]{0,200})"/gu))
      settings.push({ path: [...path, name, attribute], value, line });
    if (inside.trim() !== '') settings.push({ path: [...path, name], value: inside.trim(), line });
    if (isSingle !== '/') path.push(name);
  }
  return settings;
};

const toml = readSections(/^#/u, /\s*=\s*/u);
const ini = readSections(/^[#;]/u, /\s*[=:]\s*/u);
const READERS: Readonly<Record<string, SettingsReader>> = {
  '.json': readJson,
  '.jsonc': readJson,
  '.json5': readJson,
  '.toml': toml,
  '.ini': ini,
  '.cfg': ini,
  '.properties': readSections(/^[#!]/u, /\s*[=:]\s*/u),
  '.yaml': readYaml,
  '.yml': readYaml,
  '.xml': readXml,
  '.conf': readDirectives,
};

/** Whether a file can hold settings, judging by its name. */
export const holdsSettings = (name: string): boolean => Object.hasOwn(READERS, extname(name.toLowerCase()));

const MOST_SETTINGS = 20_000;
const MOST_DEPTH = 50;
