import { StoreFault } from './port.ts';

/**
 * One step of a schema. Released steps are never edited. `down` undoes `up` and loses nothing of the log; there is nothing below the first version.
 */
export type Migration = { readonly version: number; readonly name: string; readonly up: string; readonly down: string | null };

export type Move = { readonly from: number; readonly to: number; readonly isNeeded: boolean };

/** The way to the wanted version, by default the newest. A schema newer than the program is left alone (STORE-6). */
export const moveFor = (name: string, migrations: readonly Migration[], from: number, wanted: number | undefined, copy: 'backup' | 'dump'): Move => {
  const newest = migrations.at(-1)?.version ?? 0;
  const to = wanted ?? newest;
  if (from !== to && from > newest) {
    throw new StoreFault(
      'failed',
      `${name} was written by a newer Yarnboard (schema ${from}, this one knows ${newest}). Install that version, or restore a ${copy}`,
    );
  }
  return { from, to, isNeeded: from !== to };
};

export const readOnlyFault = (name: string, { from, to }: Move): StoreFault =>
  new StoreFault('failed', `${name} has schema ${from}, not ${to}. Open it once for writing to bring it up to date`);

/** The statements that migrate a schema from one version to another, in order. */
export const stepsBetween = (migrations: readonly Migration[], from: number, to: number): readonly string[] => {
  if (from <= to) return migrations.filter(({ version }) => version > from && version <= to).map(({ up }) => up);
  return migrations
    .filter(({ version }) => version <= from && version > to)
    .toReversed()
    .map(({ version, name, down }) => {
      if (down === null) throw new StoreFault('failed', `cannot go back below schema ${version} (${name})`);
      return down;
    });
};
