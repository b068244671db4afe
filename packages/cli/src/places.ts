import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Io } from './io.ts';

/** Where Claude Code keeps transcripts on this machine, as far as the folders exist. */
export const claudeHomes = (io: Io): readonly string[] => {
  const configured = io.env['CLAUDE_CONFIG_DIR'];
  const homes = configured === undefined || configured === '' ? [join(io.home, '.claude'), join(io.home, '.config', 'claude')] : configured.split(',');
  return homes.filter((home) => existsSync(home));
};

/** The sessions that come with the package: beside `dist/` when installed, beside `src/` in the repository. */
export const demoFolder = (): string => fileURLToPath(new URL('../demo', import.meta.url));
