import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { lstat, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { maskUnder } from '@yarnboard/domain';
import { isObject, type Json, type JsonObject } from '@yarnboard/transcript';
import type { Grant } from './permission-grants.ts';

/** A grant as Claude Code writes it: `Bash(npm test:*)`, or a directory. */
export type KeptRule = { readonly rule: string; readonly grant: Grant };

export type ProjectRules =
  { readonly ok: true; readonly rules: readonly KeptRule[] } | { readonly ok: false; readonly file: string; readonly why: string };

/** RUN-43: what Claude Code keeps as allowed in a project, as far as only this user is concerned. Without the file, that is nothing. */
export const projectRules = async (cwd: string): Promise<ProjectRules> => {
  const read = await readSettings(fileOf(cwd));
  return read.ok ? { ok: true, rules: rulesIn(read.settings) } : read;
};

/** Takes one rule, named as it is or as it is shown, out of the file and changes nothing else in it; null if it wasn't there. */
export const revokeProjectRule = async (cwd: string, named: string): Promise<ProjectRules | null> => {
  const file = fileOf(cwd);
  const read = await readSettings(file);
  if (!read.ok) return read;
  const { text, settings, mode } = read;
  const rules = rulesIn(settings);
  // Whoever sees a rule with a key or a password in it sees its mask.
  const { rule } = rules.find((one) => one.rule === named) ?? rules.find((one) => maskUnder('rule', one.rule) === named) ?? {};
  if (rule === undefined) return null;
  const { permissions } = settings;
  const kept = Object.entries(isObject(permissions) ? permissions : {}).map(([key, value]) => [
    key,
    LISTS.has(key) && Array.isArray(value) ? value.filter((one: Json) => one !== rule) : value,
  ]);
  const next: JsonObject = { ...settings, permissions: Object.fromEntries(kept) as JsonObject }; // its own values, but for one
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(`${JSON.stringify(next, null, indentOf(text))}${text.endsWith('\n') ? '\n' : ''}`);
      await handle.chmod(mode);
      // Before it is renamed: after a power cut, the name would be there and the rules would not.
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Claude Code may have written meanwhile; its rules must not be lost. Both at once: of two that are revoked together, the second must not bring the
    // first back.
    if (readFileSync(file, 'utf8') !== text) return { ok: false, file, why: 'it changed meanwhile; try again' };
    renameSync(beside, file);
  } catch (cause) {
    return { ok: false, file, why: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    await rm(beside, { force: true });
  }
  return { ok: true, rules: rulesIn(next) };
};

export const ruleOf = (grant: Grant): string => {
  if (grant.kind === 'edits') return 'acceptEdits';
  if (grant.kind === 'directory') return grant.path;
  return grant.pattern === null ? grant.tool : `${grant.tool}(${grant.pattern})`;
};

type Settings = { readonly ok: true; readonly text: string; readonly settings: JsonObject; readonly mode: number };

const readSettings = async (file: string): Promise<Settings | Extract<ProjectRules, { readonly ok: false }>> => {
  try {
    const { mode, size } = await lstat(file).then((found) => {
      if (!found.isFile()) throw new Error('it isn’t an ordinary file');
      return found;
    });
    if (size > MOST_BYTES) return { ok: false, file, why: `it is larger than ${MOST_BYTES / 1_000_000} MB` };
    const text = await readFile(file, 'utf8');
    const settings = JSON.parse(text) as Json; // whatever JSON.parse returns is JSON
    return isObject(settings) ? { ok: true, text, settings, mode: mode & 0o777 } : { ok: false, file, why: 'it isn’t a JSON object' };
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return { ok: true, text: '', settings: {}, mode: 0o600 };
    return { ok: false, file, why: cause instanceof Error ? cause.message : String(cause) };
  }
};

const rulesIn = ({ permissions }: JsonObject): readonly KeptRule[] => {
  if (!isObject(permissions)) return [];
  const tools = textsIn(permissions['allow']).flatMap((rule): readonly KeptRule[] => {
    const [, tool, pattern] = /^([^()]+)(?:\((.*)\))?$/su.exec(rule) ?? [];
    return tool === undefined ? [] : [{ rule, grant: { kind: 'tool', tool, pattern: pattern ?? null } }];
  });
  const directories = textsIn(permissions['additionalDirectories']).map((path): KeptRule => ({ rule: path, grant: { kind: 'directory', path } }));
  return [...tools, ...directories].slice(0, MOST_RULES);
};

const textsIn = (list: Json | undefined): readonly string[] =>
  Array.isArray(list) ? [...new Set(list.filter((one): one is string => typeof one === 'string' && one !== ''))] : [];

const indentOf = (text: string): string | number => /^\{\r?\n([\t ]+)/u.exec(text)?.[1] ?? 2;

const fileOf = (cwd: string): string => join(cwd, '.claude', 'settings.local.json');

const LISTS: ReadonlySet<string> = new Set(['allow', 'additionalDirectories']);
const MOST_BYTES = 1_000_000;
const MOST_RULES = 1000;
