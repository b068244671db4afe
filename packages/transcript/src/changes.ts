import { isObject, listOf, objectOf, stringOf, type Json, type JsonObject } from './json.ts';

/** A piece of a change: its start on both sides, and its lines, each with a sign. If the line numbers are unknown, both sides start at 1. */
export type Hunk = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** " " unchanged, "-" removed, "+" added. */
  readonly lines: readonly string[];
};

/**
 * How much is known of a change: `patch`: the record has it, with the file's line numbers; `texts`: the text before and after, at an unknown place;
 * `after`: only the written text; `none`: nothing that can be shown.
 */
export const CHANGE_BASES = ['patch', 'texts', 'after', 'none'] as const;

export const CHANGE_KINDS = ['created', 'written', 'edited', 'deleted'] as const;

/** What one call changed in one file, or was meant to. */
export type FileChange = {
  readonly path: string;
  readonly kind: (typeof CHANGE_KINDS)[number];
  readonly basis: (typeof CHANGE_BASES)[number];
  readonly hunks: readonly Hunk[];
  /** Every occurrence of this text was changed, and their number is unknown. */
  readonly isEverywhere: boolean;
};

/** Masks the secrets of a text for display. It is applied to whole texts, since half a secret is unrecognizable. */
export type Show = (text: string) => string;

/** CHANGE-1: whether a call changes files, judged by its name alone. Changes made by shell commands aren't guessed. */
export const mayChange = (name: string): boolean => FORMS.has(name);

/** CHANGE-2: what a call changed: by the patch in its result if there is one, otherwise by its input. Linear in both. */
export const changesIn = (name: string, input: Json | undefined, report: Json | undefined, show: Show = (text) => text): readonly FileChange[] => {
  const form = FORMS.get(name);
  return form === undefined ? [] : form(objectOf(input) ?? {}, objectOf(report), show);
};

/** How many lines were added and removed. */
export const linesChanged = ({ hunks }: Pick<FileChange, 'hunks'>): { readonly added: number; readonly removed: number; readonly lines: number } => {
  let [added, removed, lines] = [0, 0, 0];
  for (const hunk of hunks) {
    lines += hunk.lines.length;
    for (const line of hunk.lines) {
      if (line.startsWith('+')) added += 1;
      else if (line.startsWith('-')) removed += 1;
    }
  }
  return { added, removed, lines };
};

/** CHANGE-5: some lines of a long change, as hunks of their own. */
export const linesOfChange = (hunks: readonly Hunk[], from: number, most: number): readonly Hunk[] => {
  const part: Hunk[] = [];
  let passed = 0;
  for (const hunk of hunks) {
    const start = Math.max(0, from - passed);
    const end = Math.min(hunk.lines.length, from + most - passed);
    passed += hunk.lines.length;
    if (start < end) part.push(sliceOf(hunk, start, end));
    if (passed >= from + most) break;
  }
  return part;
};

const sliceOf = (hunk: Hunk, start: number, end: number): Hunk => {
  if (start === 0 && end === hunk.lines.length) return hunk;
  const lines = hunk.lines.slice(start, end);
  const before = sidesOf(hunk.lines.slice(0, start));
  const own = sidesOf(lines);
  // A side without lines is identified by the line before it.
  const startOf = (at: number, count: number, passed: number, left: number): number => (count === 0 ? at + 1 : at) + passed - (left === 0 ? 1 : 0);
  return {
    oldStart: startOf(hunk.oldStart, hunk.oldLines, before.old, own.old),
    oldLines: own.old,
    newStart: startOf(hunk.newStart, hunk.newLines, before.new, own.new),
    newLines: own.new,
    lines,
  };
};

const sidesOf = (lines: readonly string[]): { readonly old: number; readonly new: number } => {
  const added = lines.filter((line) => line.startsWith('+')).length;
  const removed = lines.filter((line) => line.startsWith('-')).length;
  return { old: lines.length - added, new: lines.length - removed };
};

type Form = (input: JsonObject, report: JsonObject | null, show: Show) => readonly FileChange[];

const pathIn = (input: JsonObject): string | null => {
  const path = stringOf(input['file_path']) ?? stringOf(input['notebook_path']);
  return path === '' ? null : path;
};

const write: Form = (input, report, show) => {
  const path = pathIn(input);
  if (path === null) return [];
  const content = stringOf(input['content']);
  const isNew = report?.['type'] === 'create';
  const about = { path, kind: isNew ? 'created' : 'written', isEverywhere: false } as const;
  const patch = isNew ? null : patchIn(report, show);
  if (patch !== null) return [{ ...about, basis: 'patch', hunks: patch }];
  if (content === null) return [{ ...about, basis: 'none', hunks: [] }];
  const original = stringOf(report?.['originalFile']);
  if (isNew || original !== null) return [{ ...about, basis: 'patch', hunks: changeOf(show(isNew ? '' : (original ?? '')), show(content)) }];
  return [{ ...about, basis: 'after', hunks: changeOf('', show(content)) }];
};

const edit: Form = (input, report, show) => {
  const path = pathIn(input);
  if (path === null) return [];
  const about = { path, kind: 'edited' } as const;
  const patch = patchIn(report, show);
  if (patch !== null) return [{ ...about, basis: 'patch', hunks: patch, isEverywhere: false }];
  const pairs = Array.isArray(input['edits']) ? listOf(input['edits']).filter(isObject) : [input];
  const known = pairs.flatMap((one) => {
    const [before, after] = [stringOf(one['old_string']), stringOf(one['new_string'])];
    return before === null || after === null ? [] : [{ before, after, isEverywhere: one['replace_all'] === true }];
  });
  return [
    {
      ...about,
      basis: known.length === 0 ? 'none' : 'texts',
      hunks: known.flatMap(({ before, after }) => changeOf(show(before), show(after))),
      isEverywhere: known.some((one) => one.isEverywhere),
    },
  ];
};

/** No record has the previous content of a cell. */
const notebook: Form = (input, _report, show) => {
  const path = pathIn(input);
  if (path === null) return [];
  const source = input['edit_mode'] === 'delete' ? null : stringOf(input['new_source']);
  const hunks = source === null ? [] : changeOf('', show(source));
  return [{ path, kind: 'edited', basis: source === null ? 'none' : 'after', hunks, isEverywhere: false }];
};

/** By now, a patch of one file is an edit of it; a patch of several is unchanged. */
const patchOfMany: Form = (input, _report, show) => {
  const text = stringOf(input['patch']) ?? stringOf(input['input']);
  if (text === null) return [];
  const changes: { path: string; kind: FileChange['kind']; hunks: string[][] }[] = [];
  for (const line of show(text).split('\n')) {
    const [, verb = '', path = ''] = /^\*\*\* (Add|Update|Delete) File: (.+)$/u.exec(line) ?? [];
    const kind = PATCH_KINDS.get(verb);
    const change = changes.at(-1);
    if (kind !== undefined) changes.push({ path: path.trim(), kind, hunks: kind === 'edited' ? [] : [[]] });
    else if (line.startsWith('*** ') || change === undefined) continue;
    else if (line.startsWith('@@')) change.hunks.push([]);
    else if (/^[ +-]/u.test(line)) {
      if (change.hunks.length === 0) change.hunks.push([]);
      change.hunks.at(-1)?.push(line);
    }
  }
  return changes.map(({ path, kind, hunks }) => {
    const known = hunks.filter((lines) => lines.length > 0).map(hunkOf);
    return { path, kind, basis: known.length === 0 ? 'none' : 'texts', hunks: known, isEverywhere: false };
  });
};

const PATCH_KINDS: ReadonlyMap<string, FileChange['kind']> = new Map([
  ['Add', 'created'],
  ['Update', 'edited'],
  ['Delete', 'deleted'],
]);

const FORMS: ReadonlyMap<string, Form> = new Map([
  ['Write', write],
  ['Edit', edit],
  ['MultiEdit', edit],
  ['NotebookEdit', notebook],
  ['apply_patch', patchOfMany],
]);

/** The patch in a result; null if there is none, or it is unreadable or empty. */
const patchIn = (report: JsonObject | null, show: Show): readonly Hunk[] | null => {
  const given = listOf(report?.['structuredPatch']);
  const hunks = given.flatMap((one) => {
    const { oldStart, newStart, lines } = objectOf(one) ?? {};
    if (typeof oldStart !== 'number' || typeof newStart !== 'number' || !Array.isArray(lines)) return [];
    const known = (lines as readonly Json[]).flatMap((line) => (typeof line === 'string' && /^[ +-]/u.test(line) ? [line] : []));
    return known.length === 0 ? [] : [{ ...shown(known, show), oldStart, newStart }];
  });
  return hunks.length === 0 || hunks.length < given.length ? null : hunks;
};

// A secret may span several lines: each side is masked as a whole, and split again afterwards.
const shown = (lines: readonly string[], show: Show): Hunk => {
  const side = (sign: string): string =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  const [before, after] = [side('+'), side('-')];
  const [oldText, newText] = [show(before), show(after)];
  if (oldText === before && newText === after) return hunkOf(lines);
  return hunkOf(inPlace(lines, oldText.split('\n'), newText.split('\n')) ?? [...signed('-', linesOf(oldText)), ...signed('+', linesOf(newText))]);
};

/** Each line as its side shows it, so that the counts stay right; null if a secret spanned several lines. */
const inPlace = (lines: readonly string[], old: readonly string[], now: readonly string[]): readonly string[] | null => {
  const sides = sidesOf(lines);
  if (old.length !== sides.old || now.length !== sides.new) return null;
  const told: string[] = [];
  let [before, after] = [0, 0];
  for (const line of lines) {
    const sign = line.slice(0, 1);
    const text = sign === '+' ? now[after] : old[before];
    if (text === undefined || (sign === ' ' && text !== now[after])) return null;
    if (sign !== '+') before += 1;
    if (sign !== '-') after += 1;
    told.push(sign + text);
  }
  return told;
};

const hunkOf = (lines: readonly string[]): Hunk => {
  const sides = sidesOf(lines);
  return { oldStart: sides.old === 0 ? 0 : 1, oldLines: sides.old, newStart: sides.new === 0 ? 0 : 1, newLines: sides.new, lines };
};

/**
 * CHANGE-3: everything between the common beginning and end of both texts was removed or added; a few lines around it are kept as context. Nothing is
 * compared twice, however long the texts are.
 */
const changeOf = (before: string, after: string): readonly Hunk[] => {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  if (head === old.length && head === now.length) return [];
  const from = Math.max(0, head - CONTEXT);
  const lines = [
    ...signed(' ', old.slice(from, head)),
    ...signed('-', old.slice(head, old.length - tail)),
    ...signed('+', now.slice(head, now.length - tail)),
    ...signed(' ', old.slice(old.length - tail, old.length - tail + CONTEXT)),
  ];
  const hunk = hunkOf(lines);
  return [{ ...hunk, oldStart: hunk.oldLines === 0 ? from : from + 1, newStart: hunk.newLines === 0 ? from : from + 1 }];
};

const signed = (sign: string, lines: readonly string[]): readonly string[] => lines.map((line) => sign + line);

// A line end ends its line; an empty text has no lines.
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\r?\n$/u, '').split(/\r?\n/u));

const CONTEXT = 3;
