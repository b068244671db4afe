import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from './io.ts';

/** Where Claude Code keeps transcripts on this machine, as far as the folders exist. */
export const claudeHomes = (io: Io): readonly string[] => {
  const configured = io.env['CLAUDE_CONFIG_DIR'] ?? '';
  if (configured === '') return [join(io.home, '.claude'), join(io.home, '.config', 'claude')].filter((home) => existsSync(home));
  // Several may be given, separated by commas; but a folder's name may have a comma, too.
  const homes = existsSync(configured) ? [configured] : configured.split(',').map((home) => home.trim());
  return homes.filter((home) => home !== '' && existsSync(home));
};

/** The sessions that come with the package. */
export const demoFolder = (io: Io): string => join(io.packageFolder, 'demo');

/** The page; there once the package is built. */
export const pageFolder = (io: Io): string => join(io.packageFolder, 'dist', 'page');

/** The program of a reading thread; there once the package is built. */
export const readingThread = (io: Io): string => join(io.packageFolder, 'dist', 'reading-thread.mjs');
