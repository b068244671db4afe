import * as fc from 'fast-check';
import { setImmediate as settled } from 'node:timers/promises';
import { maskJson } from '@yarnboard/domain';
import { jsonText } from '@yarnboard/transcript';
import { beforeAll, describe, expect, test } from 'vitest';
import { listLog } from '../../src/operations/log.ts';
import { listMessages, listTree } from '../../src/operations/messages.ts';
import { PIECE, politeStore } from '../../src/operations/polite-store.ts';
import { maskedInPieces, writtenInPieces } from '../../src/operations/request/pieces.ts';
import { listSessions } from '../../src/operations/sessions.ts';
import { createTurns, MOST_OF_A_TURN, type Turns } from '../../src/sessions/turns.ts';
import { makeBoard, type TestBoard } from './boards.ts';
import { prompt } from './records.ts';

/** An event loop whose clock stands still unless somebody works. */
const makeLoop = () => {
  const coming: (() => void)[] = [];
  const done: number[] = [];
  let clock = 0;
  let worked = 0;
  const turns = createTurns({ now: () => clock, next: (work) => void coming.push(work) });
  return {
    turns,
    /** A millisecond of work. */
    work: (): void => {
      clock += 1;
      worked += 1;
    },
    /** Runs until nobody waits; says how much was done in each turn. */
    run: async (): Promise<readonly number[]> => {
      await settled();
      for (let next = coming.shift(); next !== undefined; next = coming.shift()) {
        worked = 0;
        next();
        await settled();
        done.push(worked);
      }
      return done;
    },
  };
};

describe('turns', () => {
  test('[API-54] twenty who have long work to do have one turn at a time, and each turn ends in time', async () => {
    const loop = makeLoop();
    const order: number[] = [];
    const all = Array.from({ length: 20 }, async (_, who) => {
      for (let piece = 0; piece < 35; piece += 1) {
        await loop.turns.go();
        if (order.at(-1) !== who) order.push(who);
        loop.work();
      }
    });
    const done = await loop.run();
    await Promise.all(all);
    expect(done.reduce((sum, worked) => sum + worked, 0)).toBe(20 * 35);
    expect(Math.max(...done)).toBe(MOST_OF_A_TURN);
    // In the order in which they came, round after round: nobody waits for all of somebody else's work.
    const round = Array.from({ length: 20 }, (_, who) => who);
    expect(order).toEqual([...round, ...round, ...round, ...round]);
  });

  test('[API-54] whoever asks for a turn of their own lets others go first, however little was done', async () => {
    const loop = makeLoop();
    const heard: string[] = [];
    const one = loop.turns.wait().then(() => heard.push('one'));
    const two = loop.turns.wait().then(() => heard.push('two'));
    expect(heard).toEqual([]);
    expect(await loop.run()).toHaveLength(2);
    await Promise.all([one, two]);
    expect(heard).toEqual(['one', 'two']);
  });
});

const LONG = '11111111-0000-4000-8000-000000000001';
const MESSAGES = 430;
const SESSIONS = 130;

describe('heavy pages', () => {
  let board: TestBoard;
  beforeAll(async () => {
    const said = Array.from({ length: MESSAGES }, (_, i) => prompt(`p${i}`, i === 0 ? null : `p${i - 1}`, i, `needle ${i}`));
    const others = Array.from({ length: SESSIONS - 1 }, (_, i) => {
      const id = `22222222-0000-4000-8000-${String(i).padStart(12, '0')}`;
      return [`-q/${id}.jsonl`, [prompt(`q${i}`, null, i, `question ${i}`)]] as const;
    });
    board = await makeBoard({ files: { [`-p/${LONG}.jsonl`]: said, ...Object.fromEntries(others) } });
  });

  /** A store that says how many rows and texts it gave between two turns. */
  const counted = () => {
    const { store, engine } = board.board;
    const given: number[] = [0];
    const counting = <P extends object>(port: P): P =>
      Object.fromEntries(
        Object.entries(port).map(([name, ask]: [string, unknown]) => [
          name,
          typeof ask !== 'function'
            ? ask
            : async (...args: readonly unknown[]) => {
                const answer: unknown = await (ask as (...args: readonly unknown[]) => Promise<unknown>)(...args);
                given[given.length - 1] = (given.at(-1) ?? 0) + (Array.isArray(answer) ? answer.length : answer instanceof Map ? answer.size : 1);
                return answer;
              },
        ]),
      ) as P; // the same names
    const go: Turns['go'] = async () => void given.push(0);
    const needs = {
      engine,
      runs: { load: () => Promise.resolve(), list: () => [] },
      pending: () => [],
      now: () => 0,
      sessions: undefined as never,
      head: undefined as never,
    };
    const plain = { ...store, log: counting(store.log), library: counting(store.library) };
    return { given, polite: { ...needs, store: politeStore(plain, { go }) }, plain: { ...needs, store: plain } };
  };

  const PAGES = {
    log: (needs: ReturnType<typeof counted>['polite']) => listLog(needs, { after: 0, limit: 500, reveal: false }),
    messages: (needs: ReturnType<typeof counted>['polite']) =>
      listMessages(needs, { id: LONG, thread: 'main', limit: 400, operations: true, reveal: false }),
    tree: (needs: ReturnType<typeof counted>['polite']) => listTree(needs, { id: LONG, limit: 400 }),
    sessions: (needs: ReturnType<typeof counted>['polite']) =>
      listSessions(needs, { limit: 120, quarantined: false, seats: true, hidden: false, pinned: false }),
  };

  for (const [name, page] of Object.entries(PAGES)) {
    test(`[API-54] ${name} is read a few rows at a time, and is what it would be if read at once`, async () => {
      const { given, polite, plain } = counted();
      const answer = await page(polite);
      expect(Math.max(...given)).toBeLessThanOrEqual(PIECE);
      expect(given.filter((rows) => rows > 0).length).toBeGreaterThan(2);
      expect(jsonText(answer)).toBe(jsonText(await page(plain)));
      // Read at once it is more: what is counted is what there is.
      expect(Math.max(...given)).toBeGreaterThan(PIECE);
    });
  }

  test('[API-54] an answer that is masked and written in pieces is the same to the byte', async () => {
    const never = new AbortController().signal;
    const secret = `sk-ant-api03-${'aB3dE5fG7hJ9kL1mN0pQ2rS4tU6vW8xYzC'.repeat(3)}AA`;
    const text = fc.oneof(fc.string(), fc.constantFrom('password', secret, `say ${secret}`, 'x'.repeat(20_000)));
    const answer = fc.dictionary(text, fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fc.jsonValue(), fc.dictionary(text, text)))));
    await fc.assert(
      fc.asyncProperty(fc.oneof(answer, fc.jsonValue()), async (value) => {
        const masked = await maskedInPieces(value, never);
        expect(masked).toEqual(maskJson(value));
        expect(await writtenInPieces(masked, never)).toBe(jsonText(masked));
      }),
    );
  });

  test('[API-54] what nobody waits for any longer is not masked to its end', async () => {
    const gone = new AbortController();
    gone.abort();
    const long = Array.from({ length: 10 }, () => 'x'.repeat(100_000));
    await expect(maskedInPieces(long, gone.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
