import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { homeOf, startServer } from '@yarnboard/server';
import { expect, test } from 'vitest';
import { afterTest } from '../../../tests/afterwards.ts';
import { until } from '../../../tests/home.ts';
import { conversation, folderWith, jsonl, SESSION, yarnboard } from './terminal.ts';

const TRANSCRIPT = `claude/projects/-home-dev-proj/${SESSION}.jsonl`;

test('[FOLLOW-9] [FIND-18] status and doctor say that search is behind, or does not cover something, why and what to do', async () => {
  const folder = folderWith({ [TRANSCRIPT]: conversation() });
  const env = { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state'), CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const run = (...args: readonly string[]) => yarnboard(args, { env });
  const server = await startServer({
    home: homeOf({ env, home: folder }),
    settings: { excludedProjects: [], roots: [] },
    roots: [join(folder, 'claude')],
    port: 0,
    version: '0.0.0-test',
    programs: null,
    sweepEvery: 100,
    onFault: () => {}, // it is told by the commands
  });
  afterTest(server.close);
  await server.imported;
  await server.drain();
  expect((await run('status')).out).not.toContain('problem:');
  expect(JSON.parse((await run('status', '--json')).out)).not.toHaveProperty('failing');

  const index = new Database(join(folder, 'home/board/search.db'));
  index.exec('ALTER TABLE progress RENAME TO elsewhere');
  const later = {
    type: 'user',
    uuid: 'later',
    parentUuid: null,
    timestamp: '2026-01-15T11:00:00.000Z',
    message: { role: 'user', content: 'zeppelin' },
  };
  appendFileSync(join(folder, TRANSCRIPT), jsonl({ ...later, sessionId: SESSION }));
  const told = async (isFailing: boolean) => ((await run('status')).out.includes('problem:') === isFailing ? true : null);
  await until(() => told(true));
  const { code, out } = await run('status');
  expect(code).toBe(0);
  expect(out).toMatch(
    /^problem: Search doesn’t find new entries \(since 2.*: no such table: progress\. Yarnboard keeps retrying\. .*`yarnboard stop`, delete `search\.db`/mu,
  );
  const checked = await run('doctor');
  expect(checked.out).toMatch(/^! search: Search doesn’t find new entries: .*: no such table: progress\. Yarnboard keeps retrying/mu);

  index.exec('ALTER TABLE elsewhere RENAME TO progress');
  await until(() => told(false));

  index.exec("INSERT INTO unindexed (position, why) VALUES (2, 'too long'), (3, 'too large')");
  index.close();
  const uncovered = 'Search covers only part of entries 2, 3 of the log: their texts are too long to index. ';
  await expect.poll(async () => (await run('status')).out).toContain(`problem: ${uncovered}`);
  await expect.poll(async () => (await run('doctor')).out).toContain(`! search: ${uncovered}`);
});
