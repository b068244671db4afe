import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export type FailingDisk = { commit: 'kept' | 'lost' | null; isStuck: boolean; index: string | null };

const path = fileURLToPath(new URL('failing-sqlite.cjs', import.meta.url));

/** Everything that is opened within uses a database whose disk fails when told to. */
export const withFailingDisk = async <T>(work: (disk: FailingDisk) => Promise<T>): Promise<T> => {
  const { disk } = createRequire(import.meta.url)(path) as { readonly disk: FailingDisk }; // our own file
  const before = process.env['YARNBOARD_SQLITE'];
  process.env['YARNBOARD_SQLITE'] = path;
  try {
    return await work(disk);
  } finally {
    Object.assign(disk, { commit: null, isStuck: false, index: null } satisfies FailingDisk);
    if (before === undefined) delete process.env['YARNBOARD_SQLITE'];
    else process.env['YARNBOARD_SQLITE'] = before;
  }
};
