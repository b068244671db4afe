import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listLaunches } from '../../src/operations/launches.ts';
import { createLaunches, type Launches, type LaunchesOptions } from '../../src/launches/launches.ts';
import { appendSpool, launchFolderOf, processOf, readControl, type SpoolLine } from '../../src/launches/spool.ts';
import { until } from '../../../../tests/home.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';

const L1 = '11111111-0000-4000-8000-000000000001';
const L2 = '22222222-0000-4000-8000-000000000002';
const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const NOBODY = { pid: 2 ** 22 + 1, mark: null }; // beyond what any system gives out
const DAY = 86_400_000;

let board: TestBoard;
let folder: string;
let clock: number;
let open: Launches[] = [];
beforeEach(async () => {
  board = await makeBoard({});
  folder = launchFolderOf(board.home);
  clock = Date.UTC(2026, 10, 20);
});
afterEach(async () => {
  for (const launches of open.splice(0)) await launches.close();
});

const say = (launchId: string, line: SpoolLine): void => appendSpool(folder, launchId, line);
const started = (who = processOf(process.pid), host = hostname()): SpoolLine => ({
  kind: 'started',
  at: clock,
  ...who,
  host,
  cwd: '/w',
  isFork: false,
});
const session = (sessionId = A): SpoolLine => ({
  kind: 'session',
  at: clock + 1,
  sessionId,
  transcriptPath: `/x/projects/w/${sessionId}.jsonl`,
  source: 'startup',
  cwd: '/w',
});
const ended = (code = 0): SpoolLine => ({ kind: 'ended', at: clock + 2, code, signal: null, stoppedBy: null });

const make = (more: Partial<LaunchesOptions> = {}): Launches => {
  const launches = createLaunches({
    folder,
    host: hostname(),
    now: () => clock,
    newId: () => `nonce-${Math.trunc(performance.now() * 1000)}`,
    writer: board.board.writer,
    log: board.board.store.log,
    lastAt: async () => null,
    poke: async () => {},
    isExcluded: () => false,
    onWantsBack: async () => {},
    onFault: (cause) => {
      throw cause;
    },
    sweepEvery: 20,
    ...more,
  });
  open.push(launches);
  return launches;
};

const follow = (more: Partial<LaunchesOptions> = {}): Launches => {
  const launches = make(more);
  void launches.start(Promise.resolve());
  return launches;
};

const types = async (): Promise<readonly string[]> => (await board.get('log')).items.map(({ type }) => type);
const logged = (count: number): Promise<readonly string[]> =>
  until(async () => {
    const found = await types();
    return found.length >= count ? found : null;
  });

const WHOLE = ['launch.started', 'launch.moved', 'turn.closed', 'launch.ended'];

describe('the spool', () => {
  test('[LAUNCH-11] lines that cannot be read are counted and told; the others count', async () => {
    say(L1, started());
    writeFileSync(join(folder, `${L1}.jsonl`), '{"kind":"sess', { flag: 'a' }); // cut off
    say(L1, session());
    writeFileSync(join(folder, `${L1}.jsonl`), '{"kind":"ended","at":1,"code":"0","signal":null,"stoppedBy":null}\n[]\n{"kind":"later","at":1}\n', {
      flag: 'a',
    });
    say(L1, ended());
    writeFileSync(join(folder, 'notes.jsonl'), 'nobody’s\n');
    const launches = follow();
    expect(await logged(4)).toEqual(WHOLE);
    expect(launches.troubles()).toEqual([
      { path: join(folder, `${L1}.jsonl`), why: '4 lines of this launch cannot be read (line 3: not JSON)', since: clock },
    ]);
  });

  test('[LAUNCH-11] a spool that cannot be read at all is reported, and read when it can be', async () => {
    const path = join(folder, `${L1}.jsonl`);
    mkdirSync(path, { recursive: true });
    const launches = follow();
    await until(() => (launches.troubles().length === 1 ? true : null));
    expect(launches.troubles()[0]).toMatchObject({ path, why: expect.stringContaining('EISDIR') as unknown });
    rmSync(path, { recursive: true });
    say(L1, started());
    await logged(1);
    await expect.poll(launches.troubles).toEqual([]);
  });

  test('[LAUNCH-12] is kept for seven days after the end, then removed with everything of its launch', async () => {
    for (const line of [started(), session(), ended()]) say(L1, line);
    for (const line of [started(), session('b')]) say(L2, line);
    const launches = follow();
    await logged(6);
    clock += 7 * DAY;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    expect(launches.list().map(({ launchId }) => launchId)).toEqual([L1, L2]);
    clock += 10;
    await expect.poll(() => readdirSync(folder)).toEqual([`${L2}.jsonl`]);
    await expect.poll(launches.list).toMatchObject([{ launchId: L2, state: 'running' }]);
  });

  test('[LAUNCH-5] what the store refuses is tried again, and told once', async () => {
    for (const line of [started(), session(), ended()]) say(L1, line);
    const { writer } = board.board;
    let refusals = 3;
    const faults: unknown[] = [];
    follow({
      writer: {
        ...writer,
        append: async (items) => {
          refusals -= 1;
          if (refusals >= 0) throw new Error('the disk is full');
          return writer.append(items);
        },
      },
      onFault: (cause) => faults.push(cause),
    });
    expect(await logged(4)).toEqual(WHOLE);
    expect(faults.length).toBe(1);
  });

  test('[LAUNCH-5] whoever stops does not wait for an import that is not over', async () => {
    for (const line of [started(), session(), ended()]) say(L1, line);
    const launches = make();
    void launches.start(new Promise(() => {}));
    await launches.close();
    expect(await logged(0)).toEqual([]);
  });

  test('[LAUNCH-3] what a launcher left beside its spool goes when it has ended, that of another one stays', async () => {
    for (const line of [started(), session(), ended()]) say(L1, line);
    say(L2, started());
    const names = [`${L1}.settings-1.json`, `${L1}.control.json`, `${L2}.settings-1.json`];
    for (const name of names) writeFileSync(join(folder, name), '{}');
    follow();
    await until(() => !existsSync(join(folder, `${L1}.settings-1.json`)) || null);
    expect(readdirSync(folder).toSorted()).toEqual([`${L1}.jsonl`, `${L2}.jsonl`, `${L2}.settings-1.json`]);
  });

  test('[LAUNCH-5] lines of several launches are taken in the order in which they were written', async () => {
    const other = 'bbbbbbbb-0000-4000-8000-000000000002';
    // L2 begins later and takes the session over before L1 ends; it sorts first by name on purpose of nobody.
    say(L2, started());
    say(L2, { ...session(), at: clock + 1 });
    say(L1, { ...started(), at: clock + 2 });
    say(L1, { ...session(), at: clock + 3 });
    say(L2, { ...ended(1), at: clock + 4 });
    say(L1, { ...session(other), at: clock + 5 });
    follow();
    await logged(7);
    const log = (await board.get('log')).items.map(({ type, session_id: where, raw_content: text }) =>
      `${type} ${where.slice(0, 1)} ${/"status":"(\w+)"/u.exec(text ?? '')?.[1] ?? ''}`.trim(),
    );
    // The end of L2 closes nothing: L1 is in the session by then.
    expect(log).toEqual([
      'launch.started b',
      'launch.moved a',
      'launch.started b',
      'launch.moved a',
      'launch.ended a failed',
      'turn.closed a completed',
      'launch.moved b',
    ]);
  });

  test('[LAUNCH-10] a turn is closed after everything that was read was waited for, but not for ever', async () => {
    for (const line of [started(), session(), ended()]) say(L1, line);
    const { writer } = board.board;
    let waits = 0;
    follow({
      writer: {
        ...writer,
        catchUp: () => {
          waits += 1;
          return new Promise(() => {});
        },
      },
      patience: 50,
    });
    expect(await logged(4)).toEqual(WHOLE);
    expect(waits).toBe(1);
  });
});

describe('a launch', () => {
  test('[LAUNCH-8] whose processes are gone is lost; one whose number somebody else has by now, too', async () => {
    say(L1, started(NOBODY));
    say(L2, started({ pid: process.pid, mark: 'another time' }));
    const launches = follow();
    await logged(4);
    expect(launches.list().map(({ state, exit }) => [state, exit?.status])).toEqual([
      ['lost', 'cancelled'],
      ['lost', 'cancelled'],
    ]);
    expect(readFileSync(join(folder, `${L1}.jsonl`), 'utf8')).toContain('"lost"');
  });

  test('[LAUNCH-8] on another machine is believed to run until nobody has written for seven days', async () => {
    say(L1, started(NOBODY, 'elsewhere'));
    const path = join(folder, `${L1}.jsonl`);
    utimesSync(path, clock / 1000, clock / 1000);
    const launches = follow();
    await logged(1);
    expect(launches.list()[0]?.state).toBe('running');
    clock += 7 * DAY + 1;
    await until(() => (launches.list()[0]?.state === 'lost' ? true : null));
  });

  test('[LAUNCH-13] that wants its session back and cannot have it hears why', async () => {
    for (const line of [
      started(),
      session(),
      { kind: 'released', at: clock + 2, nonce: 'n' } as const,
      { kind: 'wants-back', at: clock + 3 } as const,
    ])
      say(L1, line);
    const wanted: string[] = [];
    follow({
      onWantsBack: async (sessionId) => {
        wanted.push(sessionId);
        throw new Error('the run is not ours');
      },
    });
    const control = await until(() => readControl(folder, L1));
    expect(control).toMatchObject({ kind: 'refuse', why: 'the run is not ours' });
    expect(wanted).toEqual([A]);
    // Asked before and answered: the next server does not ask again for what is over.
    say(L1, { kind: 'taken-back', at: clock + 4, sessionId: A, nonce: null });
    follow({ onWantsBack: async (sessionId) => void wanted.push(sessionId) });
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    expect(wanted).toEqual([A]);
  });

  test('[LAUNCH-15] is listed with its session, its state and its end, the latest first, page by page, also where nothing is written', async () => {
    const ids = Array.from({ length: 5 }, (_, at) => `${at}${L1.slice(1)}`);
    ids.forEach((id, at) => {
      for (const line of [started(), session(`s${at}`), ended(at)]) say(id, { ...line, at: line.at + at * 10 });
    });
    const launches = make(); // not started, as where a board is only read
    expect(launches.list().map(({ launchId, sessionId, exit }) => [launchId, sessionId, exit?.code])).toEqual(
      ids.map((id, at) => [id, `s${at}`, at] as const).toReversed(),
    );
    expect(launches.of('s4')).toBeNull();
    expect(await types()).toEqual([]);
    const pages: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await listLaunches({ launches }, { limit: 2, cursor });
      pages.push(page.items.map(({ launchId }) => launchId.slice(0, 1)).join(''));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(['43', '21', '0']);
  });

  test('[LAUNCH-15] is served: without arguments, and masked like everything', async () => {
    say(L1, {
      kind: 'started',
      at: clock,
      ...processOf(process.pid),
      host: hostname(),
      isFork: false,
      cwd: '/home/me/sk-ant-api03-q7wm2kx9lp4vt8rb3nc6yd1hf5jg0zq7wm2kx9lp4vt8rb3nc6yd1hf5jg0z',
    });
    for (const line of [session(), ended(3)]) say(L1, line);
    const served = await makeBoard({ isImported: false });
    mkdirSync(launchFolderOf(served.home), { recursive: true });
    writeFileSync(join(launchFolderOf(served.home), `${L1}.jsonl`), readFileSync(join(folder, `${L1}.jsonl`)));
    await served.board.launches.start(Promise.resolve());
    const { items } = await until(async () => {
      const page = await served.get('launches', { limit: 1 });
      return page.items.length === 1 ? page : null;
    });
    expect(items).toEqual([
      {
        launch_id: L1,
        pid: process.pid,
        session_id: A,
        sessions: [A],
        state: 'ended',
        cwd: expect.stringMatching(/^\/home\/me\/\[masked anthropic-key/u) as unknown,
        started_at: '2026-11-20T00:00:00.000Z',
        ended_at: '2026-11-20T00:00:00.002Z',
        exit: { code: 3, signal: null, status: 'failed' },
      },
    ]);
    expect(await served.problem('/api/v1/launches?cursor=x')).toMatchObject({ code: 'bad-request' });
    const log = await until(async () => {
      const page = await served.get('log');
      return page.items.length >= 4 ? JSON.stringify(page) : null;
    });
    expect(log).not.toContain('secret prompt');
  });
});
