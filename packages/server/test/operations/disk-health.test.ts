import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreFault, type LogPort } from '@yarnboard/store';
import { expect, test } from 'vitest';
import { withFailingDisk } from '../../../../tests/failing-disk.ts';
import { watchWriting } from '../../src/threads/write-watch.ts';
import type { FollowerState } from '../../src/followers/runner.ts';
import { makeBoard, type TestBoard } from './boards.ts';

type Health = { readonly status: string; readonly why?: string; readonly failing?: readonly { readonly name: string }[] };

const healthOf = async ({ ask }: TestBoard): Promise<Health & { readonly code: number }> => {
  const response = await ask('/healthz');
  return { code: response.status, ...((await response.json()) as Health) };
};

const spawn = ({ ask, token }: TestBoard, body: object): Promise<Response> =>
  ask('/api/v1/sidebars', { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify(body) });

test('[SRV-33] [ENGINE-54] a command whose write fails in an unknown way is told so, health says it, and the same id is answered by the log', () =>
  withFailingDisk(async (disk) => {
    const board = await makeBoard({ files: {} });
    expect(await healthOf(board)).toMatchObject({ code: 200, status: 'ok' });
    for (const fate of ['kept', 'lost'] as const) {
      const body = { parent_id: null, task_description: `a ${fate} one`, message_id: randomUUID() };
      const { entries } = await board.get('status');
      Object.assign(disk, { commit: fate, isStuck: true });
      const refused = await spawn(board, body);
      expect({ status: refused.status, ...((await refused.json()) as object) }).toMatchObject({ status: 503, code: 'outcome-unknown' });
      expect(await healthOf(board)).toMatchObject({ code: 503, status: 'stuck', failing: [{ name: 'writing' }] });
      expect(await board.get('status')).toMatchObject({
        state: 'stuck',
        why: expect.stringContaining('it may or may not be there') as string,
        failing: [{ name: 'writing', effect: expect.stringContaining('Nothing can be written') as string }],
      });
      expect(await (await board.ask('/metrics')).text()).toContain('yarnboard_ingest_stuck 1');
      Object.assign(disk, { commit: null, isStuck: false });
      expect((await spawn(board, body)).status).toBe(200);
      expect((await spawn(board, body)).status).toBe(200);
      const after = await board.get('status');
      expect((await board.get('sidebars')).items.filter(({ task_description: task }) => task === body.task_description)).toHaveLength(1);
      expect(after.entries).toBeGreaterThan(entries);
      // What was found on the log wrote nothing: then the probe finds out that writing works.
      await expect.poll(() => healthOf(board)).toMatchObject({ code: 200, status: 'ok' });
    }
  }));

test('[SRV-33] a refusal for want of room is told until something can be written again, with one timer and one message for one reason', async () => {
  const told: FollowerState[] = [];
  const timers: (() => void)[] = [];
  let cause: StoreFault | null = null;
  const attempt = async (): Promise<never[]> => {
    if (cause !== null) throw cause;
    return [];
  };
  const log = { append: attempt, probe: async () => void (await attempt()) } as Partial<LogPort> as LogPort; // nothing else of it is asked
  const watch = watchWriting({
    log,
    now: () => 5,
    onChange: (state) => told.push(state),
    after: (_, work) => {
      timers.push(work);
      return () => void timers.splice(timers.indexOf(work), 1);
    },
  });
  const batch = { items: [], files: [] };
  cause = new StoreFault('stale', 'others decided');
  await expect(watch.log.append(batch)).rejects.toThrow('others');
  expect(told).toEqual([]);
  cause = new StoreFault('full', 'no room');
  await expect(watch.log.append(batch)).rejects.toThrow('no room');
  await expect(watch.log.append(batch)).rejects.toThrow('no room');
  expect([told, timers.length]).toEqual([[{ name: 'writing', passes: 0, failure: { why: 'no room', since: 5, times: 1 } }], 1]);
  timers.pop()?.();
  await expect.poll(() => timers.length).toBe(1);
  cause = null;
  timers.pop()?.();
  await expect.poll(() => told.at(-1)).toEqual({ name: 'writing', passes: 1, failure: null });
  expect([told.length, timers.length]).toEqual([2, 0]);
});

test('[SRV-35] a search index that cannot be written is reported by health and status, and no longer once it can be', () =>
  withFailingDisk(async (disk) => {
    const board = await makeBoard({ files: {} });
    disk.index = 'SQLITE_IOERR_WRITE';
    expect((await spawn(board, { parent_id: null, task_description: 'never found' })).status).toBe(200);
    const failing = { name: 'search', effect: 'Search doesn’t find new entries' };
    await expect.poll(() => healthOf(board)).toMatchObject({ code: 200, failing: [failing] });
    expect((await board.get('status')).failing).toMatchObject([failing]);
    disk.index = null;
    await expect.poll(async () => (await healthOf(board)).failing).toBeUndefined();
  }));

test('[SRV-35] an index that cannot even be made keeps no server from starting', async () => {
  const first = await makeBoard({ files: {} });
  await first.close();
  const index = join(first.folder, 'home/board/search.db');
  for (const end of ['', '-wal', '-shm']) rmSync(`${index}${end}`, { force: true });
  mkdirSync(index); // nobody can open a folder as a database
  const again = await makeBoard({ files: {}, home: first.home, isImported: false });
  await expect.poll(() => healthOf(again)).toMatchObject({ code: 200, failing: [{ name: 'search' }] });
  await again.close();
});

test('[SRV-35] checkpoints that cannot be written are reported', async () => {
  const board = await makeBoard({ files: {} });
  const folder = join(board.folder, 'state/checkpoints');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, '..'), { recursive: true });
  writeFileSync(folder, 'in the way of a folder');
  expect((await spawn(board, { parent_id: null, task_description: 'unsigned' })).status).toBe(200);
  await expect.poll(async () => (await board.get('status')).failing).toMatchObject([{ name: 'checkpoints' }]);
});
