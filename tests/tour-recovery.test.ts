import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtCommand, temporaryFolder } from '../packages/cli/test/terminal.ts';
import { root } from './source-files.ts';
import { differencesIn, said, stepsIn } from './tour-steps.ts';

test('[REC-80] every command of the tour of recovery does what the tour says: the log goes away, the server is killed, and every word is there once', () => {
  const steps = stepsIn(readFileSync(join(root, 'docs/tour-recovery.md'), 'utf8'));
  expect(steps.length).toBeGreaterThan(20);
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'claude'));
  const env = { ...process.env, LC_ALL: 'C.UTF-8', CLAUDE_CONFIG_DIR: join(folder, 'claude'), HOME: folder };
  expect(differencesIn(steps, said(steps, builtCommand(), [], { env, cwd: folder }))).toEqual([]);
});
