import { fileURLToPath } from 'node:url';
import { readRuntimes, SEAT_LIMITS, type RuntimeSettings } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { noticeId } from '../../src/runtimes/budgets.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';

const SCRIPTED = fileURLToPath(new URL('./scripted-agent.mjs', import.meta.url));

const runtimes = (): readonly RuntimeSettings[] => {
  const read = readRuntimes({ scripted: { kind: 'stdio', command: [process.execPath, SCRIPTED], limits: { usd_per_day: 1 } } });
  if (!read.ok) throw new Error(read.error);
  return read.value;
};

const open = async (more: object = {}): Promise<TestBoard> => {
  const made = await makeBoard({ settings: { excludedProjects: [], roots: [], runtimes: runtimes() }, isImported: false, ...more });
  await made.board.seats.start();
  return made;
};

/** Looks again after every commit until it is so. */
const until = async ({ board }: TestBoard, isSo: () => Promise<boolean>): Promise<void> => {
  for (;;) {
    const committed = new Promise<void>((resolve) => {
      const stop = board.engine.onCommitted(() => {
        stop();
        resolve();
      });
    });
    if (await isSo()) return;
    await committed;
  }
};

const spend = async (made: TestBoard, sidebar: string, usd: number, turns: number): Promise<void> => {
  await made.command('chat_message', { sidebar_id: sidebar, content: `@weaver spend ${usd}` });
  await until(made, async () => {
    const seat = await made.get('seat', { sidebar_id: sidebar, agent_id: 'weaver' });
    return seat.turns.used >= turns && seat.state !== 'working';
  });
  await made.board.seats.settled();
};

const told = async (made: TestBoard, words: string): Promise<number> =>
  (await made.command('inbox')).notices.filter(({ text }) => text.includes(words)).length;

const NEAR = '80 % of its budget for today';
const ALL = 'used up its budget for today';

describe('budgets of a day', () => {
  test('[RT-11] 80 % is reported once, whichever seat goes through it and however often the server starts; of more that was granted again', async () => {
    const made = await open();
    await made.command('agent_register', { agent_id: 'weaver', runtime: 'scripted' });
    const spawn = async (task: string): Promise<string> =>
      (await made.command('sidebar_spawn', { parent_id: null, task_description: task, participants: ['weaver'] })).ref ?? '';
    const [one, other] = [await spawn('The warp'), await spawn('The weft')];
    await spend(made, one, 0.85, 1);
    expect(await told(made, NEAR)).toBe(1);
    await spend(made, other, 0.01, 1);
    expect(await told(made, NEAR)).toBe(1);
    await made.close();

    const again = await open({ home: made.home });
    await spend(again, one, 0.01, 2);
    expect([await told(again, NEAR), await told(again, ALL)]).toEqual([1, 0]);
    await again.command('budget_grant', { sidebar_id: one, agent_id: 'weaver', usd_today: 1 });
    await spend(again, other, 0.8, 2);
    expect([await told(again, NEAR), await told(again, ALL)]).toEqual([2, 0]);
    expect(again.faults).toEqual([]);
    await again.close();
  });

  test('[RT-11] a notice is the same for whoever tells it: of a sidebar there, of an agent’s day wherever it is, of the board’s day for everybody', () => {
    const [here, there, other] = [
      { agent: 'AGENT-a', sidebarId: '1' },
      { agent: 'AGENT-a', sidebarId: '2' },
      { agent: 'AGENT-b', sidebarId: '2' },
    ];
    const day = 86_400_000;
    const idOf = (place: typeof here, of: Parameters<typeof noticeId>[2], { share = 0.8, at = 5, limits = SEAT_LIMITS } = {}): string =>
      noticeId(place, limits, of, share, at);
    expect(idOf(here, 'tokens')).not.toBe(idOf(there, 'tokens'));
    expect(idOf(here, 'tokens')).toBe(idOf(here, 'tokens', { at: 3 * day }));
    expect(idOf(here, 'tokens')).not.toBe(idOf(here, 'tokens', { limits: { ...SEAT_LIMITS, tokens: 5 } }));
    expect(idOf(here, 'usd-per-day')).toBe(idOf(there, 'usd-per-day'));
    expect(idOf(here, 'usd-per-day')).not.toBe(idOf(other, 'usd-per-day'));
    expect(idOf(here, 'usd-per-day')).not.toBe(idOf(here, 'usd-per-day', { at: 5 + day }));
    expect(idOf(here, 'board-usd-per-day')).toBe(idOf(other, 'board-usd-per-day'));
    expect(idOf(here, 'board-usd-per-day', { share: 1 })).not.toBe(idOf(other, 'board-usd-per-day', { share: 1 }));
  });
});
