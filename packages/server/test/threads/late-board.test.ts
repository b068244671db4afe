import { StoreFault } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { createLateBoard, type Opened } from '../../src/threads/late-board.ts';
import { refusingIndexer, refusingWriter } from '../../src/threads/read-only.ts';
import { openSqliteBoard } from '../engine/bench.ts';

const AWAY = new StoreFault('unreachable', 'the disk is not there');

const openOne = async () => {
  const { store } = await openSqliteBoard();
  const refuse = (): Promise<never> => Promise.reject(new Error('refused'));
  let isThere = false;
  let [opens, closes, follows] = [0, 0, 0];
  let gate = Promise.resolve();
  const late = createLateBoard({
    boardId: store.log.boardId,
    capabilities: store.capabilities,
    isElsewhere: false,
    why: AWAY,
    open: async (): Promise<Opened> => {
      opens += 1;
      await gate;
      if (!isThere) throw new Error('still not there');
      const writer = {
        ...refusingWriter(refuse),
        probe: () => store.log.probe(),
        follow: async () => {
          follows += 1;
          return null;
        },
      };
      return { store, writer, indexer: refusingIndexer(refuse), close: async () => void (closes += 1) };
    },
  });
  return {
    late,
    store,
    come: (): void => {
      isThere = true;
    },
    hold: (until: Promise<void>): void => {
      gate = until;
    },
    counts: () => ({ opens, closes, follows }),
  };
};

describe('a board that is not there yet', () => {
  test('[REC-78] everything fails with the reason, and a probe with the newest one', async () => {
    const { late } = await openOne();
    await expect(late.store.log.head()).rejects.toBe(AWAY);
    await expect(late.store.library.projects()).rejects.toBe(AWAY);
    await expect(late.store.search.meaning.coverage()).rejects.toBe(AWAY);
    await expect(late.store.media.usage()).rejects.toBe(AWAY);
    await expect(late.writer.append([])).rejects.toBe(AWAY);
    await expect(late.writer.probe()).rejects.toThrow('still not there');
    await expect(late.store.log.head()).rejects.toThrow('still not there');
    expect(await late.writer.troubles()).toEqual([]);
    await late.writer.close();
  });

  test('[REC-78] is opened once, however many probe it, and everything goes on from there', async () => {
    const { late, store, come, counts } = await openOne();
    const following = late.writer.follow();
    come();
    await Promise.all([late.writer.probe(), late.writer.probe(), late.writer.probe()]);
    await late.opened;
    expect(await late.store.log.head()).toEqual(await store.log.head());
    expect(await following).toBeNull();
    await late.writer.probe();
    await late.writer.close();
    expect(counts()).toEqual({ opens: 1, closes: 1, follows: 1 });
  });

  test('[REC-78] what opens while it is being closed is closed again', async () => {
    const { late, come, hold, counts } = await openOne();
    let release = (): void => {};
    hold(
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    come();
    const probing = late.writer.probe();
    const following = late.writer.follow();
    const closing = late.writer.close();
    release();
    await expect(probing).rejects.toBe(AWAY);
    expect(await following).toBeNull();
    await closing;
    expect(counts()).toEqual({ opens: 1, closes: 1, follows: 0 });
  });
});
