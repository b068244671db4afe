import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ENTRY_TYPES } from '@yarnboard/domain';
import type { JsonObject } from '@yarnboard/transcript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, type Postgres } from '../../../../tests/postgres.ts';
import { homeOf } from '../../src/home/home.ts';
import { startedItem, streamedItem, type RunStarted } from '../../src/launches/run-entries.ts';
import { isOwnerGone, ownerIn, type RunOwner } from '../../src/launches/run-owner.ts';
import { createRuns } from '../../src/launches/runs.ts';
import { processOf } from '../../src/launches/spool.ts';
import { openBoard, type BoardOptions, type OpenBoard } from '../../src/main.ts';
import { startServer } from '../../src/serving.ts';
import { makeFolder } from '../operations/boards.ts';
import { until } from '../ingest/bench.ts';
import { playSdk } from './played-sdk.ts';
import { call, done, hear, HUMAN, start, text } from './run-bench.ts';
import { entriesOf, openRuns } from './runs-bench.ts';

let postgres: Postgres | null = null;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  postgres = await findPostgres();
  if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
});
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
  await postgres?.stop();
});

const KEY = `sk-ant-api03-${'AbCdEfGh1234567890QwErTyUiOpAsDfGhJkLzXcVbNm_-'.repeat(2)}x7QkAA`;
const NOBODY = { pid: 2 ** 22 + 1, mark: null }; // beyond what any system gives out
const PLAIN = { cwd: '/', prompt: null, resume: null, fork: false, resumeAt: null, model: null, permissionMode: null, maxTurns: null } as const;
const begun = (sessionId: string, owner: RunOwner, runId: string = randomUUID()) => {
  const started: RunStarted = { ...PLAIN, runId, owner };
  return startedItem({ sessionId, at: Date.now() }, started);
};

const open = async (database: string, more: Partial<BoardOptions> = {}): Promise<OpenBoard> => {
  const folder = makeFolder();
  const place = { env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder, database };
  const sdk = playSdk((id) => [hear, call('a', 't', 'Bash', { session_id: id }), { wait: 'interrupt' }]);
  const board = await openBoard({
    home: homeOf(place),
    settings: { excludedProjects: [], roots: [] },
    roots: [],
    version: '0',
    programs: null,
    loadSdk: async () => ({ ok: true, sdk: sdk.sdk, folder: '', version: null }),
    runGrace: 0,
    ...more,
  });
  closers.unshift(board.close);
  return board;
};

describe('the owner of a run', () => {
  test('[RUN-13] is gone when it is the server of before in this home, or a process of this machine that is no more', () => {
    const folder = makeFolder();
    const me = ownerIn({ folder }, hostname(), randomUUID);
    const before = ownerIn({ folder }, 'the machine had another name then', randomUUID);
    const other = ownerIn({ folder: makeFolder() }, hostname(), randomUUID);
    expect([before.home === me.home, other.home === me.home]).toEqual([true, false]);
    expect(
      [
        me,
        before,
        other,
        { ...other, ...NOBODY },
        // The number is given to another process by now.
        { ...other, mark: `${processOf(process.pid).mark ?? ''}0` },
        { ...other, ...NOBODY, host: 'another machine' },
        undefined,
      ].map((owner) => isOwnerGone(owner, me)),
    ).toEqual([false, true, false, true, processOf(process.pid).mark !== null, false, false]);
  });

  test('[RUN-19] with PostgreSQL a second server leaves the runs of the first alone, and ends those that nobody has', async ({ skip }) => {
    if (postgres === null) {
      skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
      return;
    }
    const url = `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=runs_${randomUUID().slice(0, 8)}`;
    const first = await open(url);
    const running = await first.runs.start({ ...PLAIN, prompt: 'go' }, HUMAN);
    if (!running.ok) throw new Error(running.error.kind);
    const { runId, sessionId } = running.value;
    const owner: RunOwner = { server: 'x', home: 'x', host: hostname(), ...NOBODY };
    await first.writer.append([begun('left', owner, 'left'), begun('far', { ...owner, host: 'afar' }, 'far')]);

    const second = await open(url);
    await second.runs.recover(Promise.resolve());
    expect(['left', 'far', runId].map((id) => second.runs.find(id)?.state)).toEqual(['ended', 'running', 'running']);
    expect(['left', 'far', sessionId, 'nobody'].map(second.runs.keeps)).toEqual([false, true, true, false]);
    const elsewhere = { ok: false, error: { kind: 'elsewhere', runId, host: hostname() } };
    expect(await second.runs.abort(runId)).toEqual(elsewhere);
    expect(await second.runs.start({ ...PLAIN, resume: sessionId }, HUMAN)).toEqual(elsewhere);
    expect(await second.runs.toRemote(sessionId, { cwd: '/', prompt: null }, HUMAN)).toEqual(elsewhere);
    const ends = (await entriesOf(second.store)).filter(({ type }) => type === ENTRY_TYPES.runEnded);
    expect(ends.map((entry) => entry.payload?.['runId'])).toEqual(['left']);

    await first.runs.abort(runId);
    await until('the end is heard of', () => second.runs.find(runId)?.status === 'cancelled');
    expect(second.runs.keeps(sessionId)).toBe(false);
  });
});

describe('a run', () => {
  test('[RUN-10] is answered whatever the input looks like', async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
    const ask = { ask: { tool: 'Bash', input: {}, toolUseID: 't', requestId: 'q' } };
    const { run, clock, played, faults } = start([hear, call('a', 't'), ask, text('b', 'after'), done]);
    await run.send('go');
    await clock.pass(1000);
    expect(await run.answer('q', { decision: 'allow', updatedInput: deep }, HUMAN)).toBe('done');
    await clock.pass(1000);
    expect([run.view().state, played.answers.length, faults.length]).toEqual(['idle', 1, 0]);
  });

  test('[RUN-20] tells no half of a secret: neither of what Claude Code complained about nor of the prompt', async () => {
    const { run, clock, played } = start([hear, { fail: 'it ended' }]);
    played.options().stderr(`bad key ${KEY} rejected\n${'a line\n'.repeat(275)}`);
    await run.send('go');
    await clock.pass(60_000);
    expect(run.view().why).toMatch(/^it ended; it said: .*a line$/su);
    expect(run.view().why?.length).toBeLessThan(2100);
    expect(KEY).not.toContain(run.view().why?.split('it said: ')[1]?.split(' ')[0]);

    const bench = await openRuns([]);
    for (const before of [900, 920, 960, 990]) {
      const { run_id: id } = await bench.startRun({ prompt: 'z '.repeat(before / 2) + KEY });
      expect(bench.board.runs.find(id)?.prompt).not.toContain(KEY.slice(0, 10));
      expect(bench.board.runs.find(id)?.prompt?.length).toBeLessThanOrEqual(1000);
    }
  });

  test('[RUN-21] is not resumed while the transcripts are imported: that is refused after a while, and stopping waits for nothing', async () => {
    const bench = await openRuns([]);
    const owner: RunOwner = { server: 'before', home: 'x', host: hostname(), ...NOBODY };
    await bench.board.writer.append([begun('s', owner)]);
    const runs = createRuns({
      store: bench.board.store,
      append: bench.board.writer.append,
      catchUp: async () => {},
      launches: bench.board.launches,
      loadSdk: async () => ({ ok: false, why: 'none' }),
      env: {},
      isExcluded: () => false,
      owner: { ...owner, server: 'now' },
      isGone: () => true,
      isShared: false,
      now: () => Date.now(),
      newId: randomUUID,
      after: (ms, work) => {
        const timer = setTimeout(work, ms / 50);
        return () => clearTimeout(timer);
      },
      onFault: (cause) => {
        throw cause;
      },
    });
    const recovering = runs.recover(new Promise(() => {}));
    const importing = { ok: false, error: { kind: 'importing' } };
    expect(await runs.start({ ...PLAIN, resume: 's' }, HUMAN)).toEqual(importing);
    // Nobody else is to guess how its turn ended.
    expect(runs.keeps('s')).toBe(true);
    expect(await runs.toRemote('s', { cwd: '/', prompt: null }, HUMAN)).toEqual(importing);
    await runs.close();
    await recovering;
    expect((await bench.entries()).length).toBe(1);
  });

  test('[RUN-13] that was cut off is ended by its recovery when a server starts, not by whoever looks for silence', async () => {
    const folder = makeFolder();
    const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
    const more = { home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null, runGrace: 0 };
    const before = await openBoard(more);
    const record = {
      type: 'user',
      uuid: 'u',
      sessionId: 's',
      timestamp: new Date(Date.now() - 3_600_000).toISOString(),
      message: { role: 'user', content: 'go' },
    };
    await before.writer.append([begun('s', { server: 'before', home: 'x', host: hostname(), ...NOBODY }), streamedItem(record, Date.now())]);
    await before.close();
    const server = await startServer({ ...more, port: 0 });
    closers.unshift(server.close);
    await server.imported;
    const statuses = async (): Promise<readonly unknown[]> => {
      const { items } = (await (await fetch(`${server.url}/api/v1/runs`)).json()) as { readonly items: readonly { readonly status: unknown }[] };
      return items.map(({ status }) => status);
    };
    await until('it is ended', async () => (await statuses())[0] === 'failed');
    // As long as the keeper takes to look.
    await new Promise((resolve) => {
      setTimeout(resolve, 700);
    });
    await server.close();
    const after = await openBoard({ ...more, readOnly: true });
    closers.unshift(after.close);
    const turns = (await entriesOf(after.store)).filter(({ type }) => type === ENTRY_TYPES.turnClosed);
    expect(turns.map(({ payload }) => payload?.['by'])).toEqual(['start']);
  });

  test('[RUN-12] of before is not read by whoever does not ask for it', async () => {
    const bench = await openRuns([hear]);
    const { run_id: id } = await bench.startRun();
    const reader = await openBoard({
      home: bench.home,
      settings: { excludedProjects: [], roots: [] },
      roots: [],
      version: '0',
      programs: null,
      readOnly: true,
    });
    closers.unshift(reader.close);
    expect(reader.runs.list()).toEqual([]);
    const answer = await reader.app.request('/api/v1/runs', { headers: { host: '127.0.0.1:0' } });
    expect(await answer.json()).toMatchObject({ items: [{ run_id: id }] });
  });
});
