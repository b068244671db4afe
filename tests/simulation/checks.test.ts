import { emptyBoard } from '@yarnboard/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeBoards, type Boards } from './boards.ts';
import { complaintsAbout } from './checks.ts';
import { playHistory, type History } from './history.ts';
import type { Sent } from './servers.ts';
import { alienSnapshot } from './simulate.ts';

let boards: Boards;
let alien: string | null;
beforeAll(async () => {
  boards = await makeBoards();
  alien = await alienSnapshot(boards);
});
afterAll(() => boards.close());

const play = (seed: number, steps: string[] = []): Promise<History> => playHistory(seed, { boards, alien, steps });

test('[SIM-4] the same seed plays the same history, step by step and entry by entry', async () => {
  for (const seed of [11, 12, 13, 14, 15]) {
    const [one, other] = [await play(seed), await play(seed)];
    expect(one.steps.length).toBeGreaterThan(20);
    expect(other.steps).toEqual(one.steps);
    expect(await other.store.log.head()).toEqual(await one.store.log.head());
    await one.close();
    await other.close();
  }
});

const isDone = ({ attempts }: Sent): boolean => attempts.some(({ outcome }) => outcome?.kind === 'done');

/** Histories that did not happen like this: each is found out. */
const LIES: readonly (readonly [string, (history: History) => History, RegExp])[] = [
  [
    'an answer that names another position',
    (history) => withOutcome(history, (outcome) => ({ ...outcome, seq: outcome.seq + 1 })),
    /was told \d+.*the log has/u,
  ],
  ['an answer that names another number', (history) => withOutcome(history, (outcome) => ({ ...outcome, refs: ['SB-77'] })), /was told .*SB-77/u],
  [
    'a command that was done though nobody was told',
    (history) => ({ ...history, sent: history.sent.filter((one) => one !== history.sent.find(isDone)) }),
    /is of nobody whose command was done/u,
  ],
  [
    'a server that left something out',
    (history) => ({ ...history, servers: history.servers.map((server) => ({ ...server, told: server.told.slice(1) })) }),
    /told .* where the log has/u,
  ],
  [
    'a server whose board is another',
    (history) => ({ ...history, servers: history.servers.map((server) => ({ ...server, engine: { ...server.engine, board: emptyBoard } })) }),
    /has other sidebars than the log tells/u,
  ],
];

test('[SIM-5] what is wrong about a history is found', async () => {
  const history = await play(11);
  expect(await complaintsAbout(history)).toEqual([]);
  for (const [what, lie, complaint] of LIES) {
    const complaints = await complaintsAbout(lie(history));
    expect([what, complaints.filter((one) => complaint.test(one))]).not.toEqual([what, []]);
  }
  await history.close();
});

type Done = Extract<NonNullable<Sent['attempts'][number]['outcome']>, { kind: 'done' }>;

/** The same history, but for what the first command was told that was done. */
const withOutcome = (history: History, change: (outcome: Done) => Done): History => {
  const liar = history.sent.find(isDone);
  const lying = (attempt: Sent['attempts'][number]): Sent['attempts'][number] =>
    attempt.outcome?.kind === 'done' ? { ...attempt, outcome: change(attempt.outcome) } : attempt;
  return { ...history, sent: history.sent.map((one) => (one === liar ? { ...one, attempts: one.attempts.map(lying) } : one)) };
};
