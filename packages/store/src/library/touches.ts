import { findRefs, formatRef, type Entry } from '@yarnboard/domain';
import type { Entry as Reading } from '@yarnboard/transcript';
import type { TouchRow } from './rows.ts';

/** TRACE-10: the files that a record's calls touch, and the references in its text. Copies touch nothing: their originals did. */
export const touchesIn = ({ position, sessionId, timestamp }: Entry, { uses, text, cwd }: Reading): readonly TouchRow[] => {
  const rows: Omit<TouchRow, 'index'>[] = [];
  const about = { position, sessionId, at: timestamp };
  for (const [use, { file }] of uses.entries()) {
    if (file === undefined) continue;
    const { kind, path, lines } = file;
    rows.push({ ...about, use, kind, target: absolutePath(path, cwd), from: lines?.from ?? null, to: lines?.to ?? null });
  }
  // Most records mention nothing, and searching for every kind of reference takes longer than testing whether there may be one.
  if (text !== null && MAY_MENTION.test(text)) {
    const refs = new Set(findRefs(text).map(({ ref }) => formatRef(ref)));
    for (const target of [...refs].slice(0, MOST_MENTIONS)) rows.push({ ...about, use: null, kind: 'mentions', target, from: null, to: null });
  }
  return rows.map((row, index) => ({ ...row, index }));
};

/** A path as it is on disk, if the folder it is relative to is known. */
export const absolutePath = (path: string, cwd: string | null): string =>
  cwd === null || /^(?:[\\/]|[A-Za-z]:[\\/]|~)/u.test(path) ? path : `${cwd.replace(/\/+$/u, '')}/${path.replace(/^(?:\.\/)+/u, '')}`;

/** The parts of a path in reverse, so that paths with the same ending are neighbours. A reference has no parts. */
export const keyOfTarget = (target: string): string => target.split('/').toReversed().join('/');

export const targetOfKey = (key: string): string => keyOfTarget(key);

/** The range of keys of all paths that end with these parts, excluding the parts themselves. */
export const rangeOfEnding = (ending: string): readonly [from: string, to: string] => {
  const key = keyOfTarget(ending.replace(/^\/+/u, ''));
  return [`${key}/`, `${key}0`]; // the character after the slash
};

const MAY_MENTION = /(?:MSG|CITE|SB|FRAG|EXCH|GOLD|MEDIA|SCRATCH|FILE|AGENT)-[\w]/u;
const MOST_MENTIONS = 50;
