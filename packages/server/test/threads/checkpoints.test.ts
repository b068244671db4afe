import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Head } from '@yarnboard/domain';
import { draftOfLine, openStore, type LogPort } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCheckpoints } from '../../src/threads/checkpoints.ts';
import { createWriter } from '../../src/threads/writer.ts';
import { witnessFile } from '../../src/threads/witness.ts';
import { homeOf, type Home } from '../../src/home/home.ts';

let folder = '';
let home: Home;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-checkpoints-'));
  home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A real log of so many entries. */
const logOf = async (count: number, name = 'board'): Promise<LogPort> => {
  const store = await openStore(`sqlite:${join(folder, `${name}.db`)}`, { prices: DEFAULT_PRICES, now: () => 1, newId: () => 'b' });
  const line = draftOfLine({ context: { sessionId: 's', agentId: null }, reading: null, fault: null, length: 1, occurrence: 1, fallbackAt: 1 });
  const items = Array.from({ length: count }, (_, i) => ({
    draft: { ...line, uuid: `u${i}`, occurrence: null },
    payload: Buffer.from(i < COMMON ? [i] : `${name} ${i}`),
    reading: null,
  }));
  await store.log.append({ items, files: [] });
  return store.log;
};

/** So many entries all logs have in common. */
const COMMON = 3;

const headAt = async (log: LogPort, count: number): Promise<Head> => ({
  count,
  checksum: Buffer.from((await log.entryAt(count))?.checksum ?? '', 'hex'),
});

const OTHER = Buffer.alloc(32, 7);

describe('checkpoints', () => {
  test('[LIFE-83] a clock that was set back by years keeps nobody from signing what comes then', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    const now = () => clock.now;
    const store = await openStore(`sqlite:${join(folder, 'board.db')}`, { prices: DEFAULT_PRICES, now, newId: () => 'b' });
    const writer = await createWriter({ home, store, now, newId: () => 'n', roots: [], isExcluded: () => false, onEvent: () => {} });
    const line = draftOfLine({ context: { sessionId: 's', agentId: null }, reading: null, fault: null, length: 1, occurrence: 1, fallbackAt: 1 });
    const say = (uuid: string) => writer.append([{ draft: { ...line, uuid, occurrence: null }, payload: Buffer.from(uuid), reading: null }]);
    const signed = () => createCheckpoints(home, store.log.boardId, now).latest()?.count;
    await say('first');
    await expect.poll(signed).toBe(1);
    clock.now = Date.UTC(2026, 0, 1);
    await say('second');
    await expect.poll(signed).toBe(2);
    await writer.close();
  });

  test('[LOG-5] a log that grew fits all its checkpoints', async () => {
    const log = await logOf(12);
    const checkpoints = createCheckpoints(home, 'b', () => 1000);
    for (const count of [1, 5, 9]) checkpoints.write(await headAt(log, count));
    expect(await checkpoints.check(log)).toEqual({ checked: 3, broken: null, notes: [] });
    expect(checkpoints.latest()).toMatchObject({ board: 'b', count: 9, at: '1970-01-01T00:00:01.000Z' });
  });

  test('[LOG-5] a log that has fewer entries than were signed, or others, is noticed', async () => {
    const log = await logOf(6);
    const checkpoints = createCheckpoints(home, 'b', () => 1000);
    checkpoints.write(await headAt(log, 3));
    checkpoints.write({ count: 7, checksum: OTHER });
    expect((await checkpoints.check(log)).broken).toMatchObject({ position: 7, kind: 'tail-removed' });
    const others = createCheckpoints(home, 'c', () => 1000);
    others.write({ count: 3, checksum: OTHER });
    others.write(await headAt(log, 6));
    expect((await others.check(log)).broken).toMatchObject({ position: 3, kind: 'tail-rewritten' });
  });

  test('[LOG-34] copies of a board that share a state folder do not accuse each other, and each is told of the other', async () => {
    const [one, two] = [await logOf(6), await logOf(5, 'copy')];
    const original = createCheckpoints(home, 'b', () => 1000);
    const copied = createCheckpoints({ ...home, database: `sqlite:${join(folder, 'copy.db')}` }, 'b', () => 2000);
    original.write(await headAt(one, 2));
    expect(await copied.check(two)).toEqual({ checked: 1, broken: null, notes: [] });
    copied.write(await headAt(two, 3));
    expect(await original.check(one)).toEqual({ checked: 1, broken: null, notes: [] });
    original.write(await headAt(one, 5));
    copied.write(await headAt(two, 4));
    original.write(await headAt(one, 6));
    for (const [checkpoints, log, at] of [
      [original, one, '1970-01-01T00:00:02.000Z'],
      [copied, two, '1970-01-01T00:00:01.000Z'],
    ] as const) {
      expect(await checkpoints.lookBack(log)).toBeNull();
      expect(await checkpoints.check(log)).toMatchObject({ checked: 3, broken: null, notes: [expect.stringContaining(`(last at ${at})`)] });
    }
    expect((await original.check(two)).broken).toMatchObject({ kind: 'tail-rewritten', position: 5 });
    expect((await copied.check(one)).broken).toMatchObject({ kind: 'tail-rewritten', position: 4 });
  });

  test('[LOG-34] a board that was moved is held against what was signed at its old address', async () => {
    const log = await logOf(6);
    createCheckpoints(home, 'b', () => 1000).write({ count: 5, checksum: OTHER });
    const moved = createCheckpoints({ ...home, database: `sqlite:${join(folder, 'elsewhere.db')}` }, 'b', () => 1000);
    expect((await moved.check(log)).broken).toMatchObject({ kind: 'tail-rewritten', position: 5 });
    expect(await moved.lookBack(log)).toMatchObject({ kind: 'tail-rewritten', position: 5 });
  });

  test('[LOG-5] after a restore only what was signed since counts', async () => {
    const log = await logOf(5);
    const checkpoints = createCheckpoints(home, 'b', () => 1000);
    checkpoints.write({ count: 9, checksum: OTHER });
    checkpoints.write(await headAt(log, 4), true);
    expect(await checkpoints.check(log)).toEqual({ checked: 1, broken: null, notes: [] });
    checkpoints.write({ count: 6, checksum: OTHER });
    expect((await checkpoints.check(log)).broken).toMatchObject({ kind: 'tail-removed' });
  });

  test('[LOG-5] a checkpoint that was changed, or signed by somebody else, is not believed', async () => {
    const checkpoints = createCheckpoints(home, 'b', () => 1000);
    const log = await logOf(9);
    checkpoints.write(await headAt(log, 9));
    const file = join(home.stateFolder, 'checkpoints', readdirSync(join(home.stateFolder, 'checkpoints'))[0] ?? '');
    const text = readFileSync(file, 'utf8');
    for (const changed of [text.replace('"count":9', '"count":2'), text.replace('"signature":"', '"signature":"A'), 'no json\n']) {
      writeFileSync(file, changed);
      expect((await checkpoints.check(log)).broken).toMatchObject({ kind: 'tail-rewritten' });
    }
  });

  test('[LOG-5] a checkpoint that was cut off while it was written, on a full disk, is none and spoils no other', async () => {
    const checkpoints = createCheckpoints(home, 'b', () => 1000);
    const log = await logOf(9);
    checkpoints.write(await headAt(log, 3));
    const witness = readFileSync(witnessFile(home));
    checkpoints.write(await headAt(log, 6));
    const file = join(home.stateFolder, 'checkpoints', 'b.jsonl');
    truncateSync(file, statSync(file).size - 20);
    writeFileSync(witnessFile(home), witness); // the home is told of a checkpoint that is written
    expect(await checkpoints.check(log)).toEqual({ checked: 1, broken: null, notes: [] });
    checkpoints.write(await headAt(log, 9));
    expect(await checkpoints.check(log)).toEqual({ checked: 2, broken: null, notes: [] });
  });

  test('[LOG-5] the key and the checkpoints are their owner’s only', () => {
    createCheckpoints(home, 'b', () => 1000).write({ count: 1, checksum: OTHER });
    expect(statSync(join(home.stateFolder, 'signing-key.pem')).mode & 0o777).toBe(0o600);
    expect(statSync(home.stateFolder).mode & 0o777).toBe(0o700);
  });
});
