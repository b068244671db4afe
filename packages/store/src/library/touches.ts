import { findRefs, formatRef, type Entry } from '@yarnboard/domain';
import type { Entry as Reading } from '@yarnboard/transcript';
import type { TouchRow } from './rows.ts';

/** TRACE-10: the files that the calls of a record touch, and the references in what it says. Copies touch nothing: their originals did. */
export const touchesIn = ({ position, sessionId, timestamp }: Entry, { uses, more, cwd }: Reading): readonly TouchRow[] => {
  const rows: Omit<TouchRow, 'index'>[] = [];
  const about = { position, sessionId, at: timestamp };
  for (const [use, { file }] of uses.entries()) {
    if (file === undefined) continue;
    const { kind, path, lines } = file;
    rows.push({ ...about, use, kind, target: absolutePath(path, cwd), from: lines?.from ?? null, to: lines?.to ?? null });
  }
  const refs = new Set((more?.mentions ?? []).flatMap((mention) => findRefs(mention).map(({ ref }) => formatRef(ref))));
  for (const target of refs) rows.push({ ...about, use: null, kind: 'mentions', target, from: null, to: null });
  return rows.map((row, index) => ({ ...row, index }));
};

/** A path as it stands on disk, where it is known from which folder it was said. */
export const absolutePath = (path: string, cwd: string | null): string =>
  cwd === null || /^(?:[\\/]|[A-Za-z]:[\\/]|~)/u.test(path) ? path : `${cwd.replace(/\/+$/u, '')}/${path.replace(/^(?:\.\/)+/u, '')}`;

/** The parts of a path from its end: paths that end alike stand together. A reference has no parts. */
export const keyOfTarget = (target: string): string => target.split('/').toReversed().join('/');

export const targetOfKey = (key: string): string => keyOfTarget(key);

/** Where the keys of all paths stand that end with these parts, the parts alone not among them. */
export const rangeOfEnding = (ending: string): readonly [from: string, to: string] => {
  const key = keyOfTarget(ending.replace(/^\/+/u, ''));
  return [`${key}/`, `${key}0`]; // what follows the slash
};
