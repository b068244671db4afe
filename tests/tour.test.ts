import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCommand, temporaryFolder } from '../packages/cli/test/terminal.ts';
import { findPostgres, type Postgres } from './postgres.ts';
import { root } from './source-files.ts';
import { differencesIn, said, stepsIn, type Step } from './tour-steps.ts';

type Place = { readonly database: string | null; readonly hasSessions: boolean; readonly settings?: (folder: string) => string };

const walk = async (
  steps: readonly Step[],
  { database, hasSessions, settings }: Place,
): Promise<readonly { readonly text: string; readonly status: number }[]> => {
  const folder = temporaryFolder();
  const claude = join(folder, 'claude');
  mkdirSync(claude);
  if (hasSessions) cpSync(join(root, 'packages/cli/demo'), claude, { recursive: true });
  writeFileSync(join(folder, 'pool.conf'), 'size = 5\nidle = 1\n');
  const shop = join(folder, 'shop');
  mkdirSync(shop);
  writeFileSync(join(shop, 'app.toml'), '[session]\ntimeout = "500ms"\n');
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
  const validation = { roots: [shop], services: [{ name: 'weaverd', port: 1 }] };
  writeFileSync(join(folder, 'home', 'settings.json'), settings?.(folder) ?? JSON.stringify({ validation }));
  const command = builtCommand();
  const env = {
    ...process.env,
    LC_ALL: 'C.UTF-8',
    YARNBOARD_HOME: join(folder, 'home'),
    YARNBOARD_STATE: join(folder, 'state'),
    CLAUDE_CONFIG_DIR: claude,
    HOME: folder,
  };
  const db = database === null ? [] : [`--db=${database}`];
  const server = spawn(process.execPath, [command, 'start', '--no-open', '--port', '0', ...db], { env, stdio: 'ignore' });
  try {
    await expect.poll(() => existsSync(join(folder, 'home', 'server.json'))).toBe(true);
    return said(steps, command, db, { env, cwd: folder });
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
};

const tour = readFileSync(join(root, 'docs/tour.md'), 'utf8');
const steps = stepsIn(tour);
const claims = stepsIn(readFileSync(join(root, 'docs/tour-claims.md'), 'utf8'));
const agentsTour = readFileSync(join(root, 'docs/tour-agents.md'), 'utf8');
const agents = stepsIn(agentsTour);

/** What the tour says settings.json has to be, with the places of this machine. */
const agentsSettings =
  (url: string) =>
  (folder: string): string =>
    settingsIn(agentsTour)
      .replaceAll('/path/to/yarnboard', root)
      .replaceAll('/tmp/scout.pid', join(folder, 'scout.pid'))
      .replaceAll('"node"', JSON.stringify(process.execPath))
      .replace('http://127.0.0.1:4010/v1', url);

const settingsIn = (markdown: string): string => /```json\n([\s\S]*?)```/u.exec(markdown)?.[1] ?? '';

/** The endpoint that the tour starts, at a port that is free. */
const startModel = async (): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const model = spawn(process.execPath, [join(root, 'examples/chat-model.mjs'), '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(model.stdout, 'data')) as [Buffer]; // its one line
  return { url: printed.toString().trim(), stop: () => void model.kill() };
};

/** What is not as the tour says. */
const faultsOf = async (steps: readonly Step[], place: Place): Promise<readonly object[]> => differencesIn(steps, await walk(steps, place));

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await findPostgres();
  if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
});
afterAll(async () => {
  await postgres?.stop();
});

test('[DOC-7] the tour shows spawn, findings, a conflict, validation, GOLD, merge, archive, fork, the archive found again and traces', () => {
  expect(steps.length).toBeGreaterThan(40);
  for (const verb of [
    'spawn',
    'find',
    'validate',
    'gold add',
    'consolidate',
    'check',
    'merge',
    'archive',
    'fork',
    'score',
    'pause',
    'resume',
    'sidebar search',
    'trace',
    'similar',
  ])
    expect(tour).toContain(verb);
});

test('[DOC-7] every command of the tour does what the tour says, on SQLite', async () => {
  expect(await faultsOf(steps, { database: null, hasSessions: true })).toEqual([]);
});

test('[DOC-7] and on PostgreSQL', async ({ skip }) => {
  skip(postgres === null, 'no PostgreSQL is installed');
  const url = postgres?.url ?? '';
  expect(await faultsOf(steps, { database: `${url}${url.includes('?') ? '&' : '?'}board=tour`, hasSessions: true })).toEqual([]);
});

test('[DOC-16] every command of the tour of claims does what the tour says, on SQLite', async () => {
  expect(claims.length).toBeGreaterThan(35);
  expect(await faultsOf(claims, { database: null, hasSessions: false })).toEqual([]);
});

test('[DOC-16] and the tour of claims on PostgreSQL', async ({ skip }) => {
  skip(postgres === null, 'no PostgreSQL is installed');
  const url = postgres?.url ?? '';
  expect(await faultsOf(claims, { database: `${url}${url.includes('?') ? '&' : '?'}board=claims`, hasSessions: false })).toEqual([]);
});

const walkAgents = async (database: string | null): Promise<readonly object[]> => {
  const model = await startModel();
  try {
    return await faultsOf(agents, { database, hasSessions: false, settings: agentsSettings(model.url) });
  } finally {
    model.stop();
  }
};

test('[RT-64] the tour of agents: two runtimes, a kill half-way, a CRITICAL task that interrupts, and a merge, on SQLite', async () => {
  expect(agents.length).toBeGreaterThan(25);
  expect(await walkAgents(null)).toEqual([]);
});

test('[RT-64] and the tour of agents on PostgreSQL', async ({ skip }) => {
  skip(postgres === null, 'no PostgreSQL is installed');
  const url = postgres?.url ?? '';
  expect(await walkAgents(`${url}${url.includes('?') ? '&' : '?'}board=agents`)).toEqual([]);
});
