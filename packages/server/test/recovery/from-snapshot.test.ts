import { OPERATOR } from '@yarnboard/domain';
import { describe, expect, test } from 'vitest';
import { readUnproven, type UnprovenSnapshot } from '../../src/engine/snapshot.ts';
import { refuseAnotherBoard } from '../../src/recovery/last-known.ts';
import { newMessageId, openEngine, openSqliteBoard, say, spawn } from '../engine/bench.ts';

/** A board with a word, and the snapshot that its server left; words that another one said behind it. */
const leftBoard = async (behind: readonly string[] = []) => {
  const { store, clock } = await openSqliteBoard();
  let text: string | null = null;
  const place = {
    read: () => text,
    write: (written: string) => {
      text = written;
    },
  };
  const first = await openEngine({ store, clock, snapshot: place });
  await first.run(spawn());
  await first.run(say('SB-1', 'before'));
  await first.engine.close();
  const known = readUnproven(place);
  if (known === null) throw new Error('no snapshot');
  const other = await openEngine({ store, clock });
  for (const words of behind) await other.run(say('SB-1', words));
  return { store, clock, place, known, text: () => text ?? '' };
};

const begin = ({ store, clock, known }: { readonly known: UnprovenSnapshot } & Pick<Awaited<ReturnType<typeof leftBoard>>, 'store' | 'clock'>) =>
  openEngine({ store, clock, unproven: known });

describe('an engine that begins with a snapshot', () => {
  test('[REC-78] asks the log nothing, and has the board as it was', async () => {
    const left = await leftBoard(['after']);
    const bench = await begin(left);
    expect(bench.engine.isProven()).toBe(false);
    expect(bench.engine.position()).toBe(left.known.position);
    expect(bench.sidebar('SB-1').status).toBe('ACTIVE');
  });

  test('[REC-78] takes in what was decided meanwhile as soon as the log says the same of its snapshot', async () => {
    const left = await leftBoard(['after']);
    const bench = await begin(left);
    await bench.engine.follow();
    expect(bench.engine.isProven()).toBe(true);
    expect(bench.engine.position()).toBeGreaterThan(left.known.position);
    expect(await bench.engine.isAsTold()).toBe(true);
  });

  test('[REC-62] believes no log that says something else of it', async () => {
    const left = await leftBoard();
    const { known, store } = left;
    const bench = await begin({ ...left, known: { ...known, checksum: 'f'.repeat(64) } });
    await expect(bench.engine.follow()).rejects.toThrow(/this is another log/u);
    expect(bench.engine.isProven()).toBe(false);
    await expect(refuseAnotherBoard(store.log, { ...known, checksum: 'f'.repeat(64) })).rejects.toMatchObject({ kind: 'went-back' });
    await expect(refuseAnotherBoard(store.log, { ...known, position: 10_000 })).rejects.toThrow(/is gone/u);
    await expect(refuseAnotherBoard(store.log, { ...known, boardId: 'another' })).rejects.toMatchObject({ kind: 'exchanged' });
    await expect(refuseAnotherBoard(store.log, known)).resolves.toBeUndefined();
  });

  test('[REC-78] a snapshot that is torn, changed, or of another version is no beginning', async () => {
    const { text } = await leftBoard();
    const [head = '', ...body] = text().split('\n');
    const read = (written: string | null): unknown => readUnproven({ read: () => written });
    expect(read(text())).not.toBeNull();
    expect(read(null)).toBeNull();
    expect(read(head)).toBeNull();
    expect(read(`${head}\n${body.join('\n').replace('slow', 'fast')}`)).toBeNull();
    const changed = (more: object): string => [JSON.stringify({ ...(JSON.parse(head) as object), ...more }), ...body].join('\n');
    expect(read(changed({}))).not.toBeNull();
    expect(read(changed({ version: 1 }))).toBeNull();
    expect(read(changed({ catalogue: 'x' }))).toBeNull();
    expect(read(changed({ at: undefined }))).toBeNull();
    for (let end = 0; end < text().length; end += 97) expect(read(text().slice(0, end))).toBeNull();
  });

  test('[REC-81] a snapshot is left when something was decided since the last one, and only then', async () => {
    const { store, clock } = await openSqliteBoard();
    let written = 0;
    const bench = await openEngine({ store, clock, snapshot: { read: () => null, write: () => void (written += 1) } });
    await bench.engine.leaveSnapshot();
    expect(written).toBe(0);
    await bench.ask(spawn(), { actor: OPERATOR, messageId: newMessageId() });
    await bench.engine.leaveSnapshot();
    await bench.engine.leaveSnapshot();
    expect(written).toBe(1);
  });
});
