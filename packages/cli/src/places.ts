import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from './io.ts';

/** Where transcripts lie on this machine, as far as the folders exist. */
export const transcriptHomes = ({ env, home, dialects }: Io): readonly string[] =>
  dialects.flatMap(({ roots }) => roots({ env, home, exists: existsSync }));

/** The sessions that come with the package. */
export const demoFolder = (io: Io): string => join(io.packageFolder, 'demo');

/** The page; there once the package is built. */
export const pageFolder = (io: Io): string => join(io.packageFolder, 'dist', 'page');

/** The program of a reading thread; there once the package is built. */
export const readingThread = (io: Io): string => join(io.packageFolder, 'dist', 'reading-thread.mjs');
