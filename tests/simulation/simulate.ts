import { expect } from 'vitest';
import { makeBoards, type Boards } from './boards.ts';
import { complaintsAbout } from './checks.ts';
import { playHistory, type History } from './history.ts';

// 1,200 in `npm run test:all`, 20,000 in `npm run soak`; or one alone, which is then told step by step.
const ONE = process.env['YARNBOARD_SEED'];
const FIRST = Number(ONE ?? process.env['YARNBOARD_FIRST_SEED'] ?? 1);
const HISTORIES = ONE === undefined ? Number(process.env['YARNBOARD_HISTORIES'] ?? 1200) : 1;

/** How often something happened. */
export type Tally = ReadonlyMap<string, number>;

/** SIM-1: plays histories, and fails with the seed and the steps of the first that is not well. */
export const simulate = async (): Promise<Tally> => {
  const tally = new Map<string, number>();
  const boards = await makeBoards();
  try {
    const alien = await alienSnapshot(boards);
    for (let seed = FIRST; seed < FIRST + HISTORIES; seed += 1) {
      const steps: string[] = [];
      const complaints = await playAndCheck(seed, { boards, alien, steps }, tally);
      if (complaints.length > 0 || ONE !== undefined)
        console.error([...steps, ...complaints, `YARNBOARD_SEED=${seed} plays this history again`].join('\n'));
      expect({ seed, complaints: complaints.slice(0, 5) }).toEqual({ seed, complaints: [] });
    }
  } finally {
    boards.close();
  }
  return tally;
};

/** Whether so much was played that everything must have come up. */
export const isMany = HISTORIES >= 1200;

/** A snapshot that another history left, on a board that has the same id. */
export const alienSnapshot = async (boards: Boards): Promise<string | null> => {
  const other = await playHistory(0, { boards, alien: null, steps: [] });
  await other.close();
  return other.snapshots.find((snapshot) => snapshot !== null) ?? null;
};

type Played = Parameters<typeof playHistory>[1];

const playAndCheck = async (seed: number, options: Played, tally: Map<string, number>): Promise<readonly string[]> => {
  try {
    const history = await playHistory(seed, options);
    count(tally, history);
    const complaints = await complaintsAbout(history);
    await history.close();
    return complaints;
  } catch (cause) {
    return [cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)];
  }
};

const count = (tally: Map<string, number>, { sent, steps }: History): void => {
  const add = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);
  for (const { asked, attempts } of sent) {
    for (const { outcome, state } of attempts) add(outcome?.kind ?? state);
    if (attempts.some(({ outcome }) => outcome?.kind === 'done')) add(asked.command.type);
  }
  for (const what of TROUBLES) if (steps.some((step) => step.includes(what))) add(what);
};

/** What goes wrong in histories, as their steps tell it. */
export const TROUBLES = [
  'the disk is full',
  'the answer is lost',
  'refused: stale',
  'is killed',
  'is stopped',
  'its last words',
  'with its snapshot',
  'half of its snapshot',
  'of another history',
  'without its last rows',
] as const;
