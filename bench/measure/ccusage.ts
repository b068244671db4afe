import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Ccusage = { readonly command: string; readonly version: string };

/** The peer to beat, where it is installed and runs; otherwise the reason why its row is missing. */
export const findCcusage = (): Ccusage | { readonly missing: string } => {
  const candidates = [
    process.env['CCUSAGE'] ?? '',
    fileURLToPath(new URL('../../node_modules/.bin/ccusage', import.meta.url)),
    ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'ccusage')),
  ];
  const command = candidates.find((path) => path !== '' && existsSync(path));
  if (command === undefined) return { missing: 'not in $CCUSAGE, node_modules/.bin or PATH; install ccusage@20 and name it in $CCUSAGE' };
  const { status, stdout, stderr } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  if (status !== 0) return { missing: `${command} does not run: ${stderr.trim().split('\n')[0] ?? ''}` };
  const version = stdout.trim().replace(/^ccusage\s+/u, '');
  return version.startsWith('20.') ? { command, version } : { missing: `${command} is ${version}, and the budget names ccusage 20` };
};

/**
 * Seconds for one report over the tree, from start to end of the process. It reads Claude Code's files only, fetches no prices, and gets an
 * empty home: nothing on this machine but the tree can change what it does.
 */
export const runCcusage = ({ command }: Ccusage, tree: string, scratch: string): { readonly seconds: number; readonly outputTokens: number } => {
  const home = join(scratch, 'empty-home');
  mkdirSync(home, { recursive: true });
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(command, ['claude', 'daily', '--json', '--offline'], {
    encoding: 'utf8',
    maxBuffer: 1024 * 1024 * 1024,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: home, CLAUDE_CONFIG_DIR: tree },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(`ccusage failed: ${stderr}`);
  const report = JSON.parse(stdout) as { readonly totals?: { readonly outputTokens?: number } }; // shown beside ours, relied on by nothing
  return { seconds, outputTokens: report.totals?.outputTokens ?? 0 };
};
