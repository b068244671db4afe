import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from './io.ts';

/** The existing folders with transcripts on this machine. */
export const transcriptHomes = ({ env, home, dialects }: Io): readonly string[] =>
  dialects.flatMap(({ roots }) => roots({ env, home, exists: existsSync }));

/** The sessions included in the package. */
export const demoFolder = (io: Io): string => join(io.packageFolder, 'demo');

/** The page, available once the package is built. */
export const pageFolder = (io: Io): string => join(io.packageFolder, 'dist', 'page');

/** The program of a reading thread, available once the package is built. */
export const readingThread = (io: Io): string => join(io.packageFolder, 'dist', 'reading-thread.mjs');
