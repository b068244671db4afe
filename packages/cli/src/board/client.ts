import { readFileSync } from 'node:fs';
import type { OpenBoard } from '@yarnboard/server';
import type { OperationName, OutputOf } from '@yarnboard/protocol';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import type { Place } from './place.ts';
import { reachBoard, type Input, type Reached, type ReachOptions } from './reach.ts';

/** A board as a verb sees it, with the operator as caller. */
export type Client = {
  readonly call: <N extends OperationName>(name: N, input: Input) => Promise<OutputOf<N>>;
  /** Null if a server does the work. */
  readonly board: OpenBoard | null;
};

/** Runs something with a board, through the running server if there is one, and closes afterwards whatever it opened. */
export const withBoard = <T>(place: Place, io: Io, options: ReachOptions, work: (client: Client) => Promise<T>): Promise<T> =>
  reachBoard(place, io, options, ({ ask, board }) => work({ board, call: callOver(ask, board?.token ?? operatorTokenOf(place)) }));

export const operatorTokenOf = ({ home }: Place): string => {
  try {
    return readFileSync(home.tokenFile, 'utf8').trim();
  } catch {
    return ''; // somebody else's server: it refuses what needs a token, and says why
  }
};

const callOver =
  (ask: Reached['ask'], token: string): Client['call'] =>
  async (name, input) => {
    const answered = await ask(name, input, { token }).catch((cause: unknown) => {
      throw new Refusal(3, `the server does not answer: ${cause instanceof Error ? cause.message : String(cause)}; \`yarnboard status\` tells more`);
    });
    if (answered.isDone) return answered.answer as OutputOf<typeof name>; // the same registry produced it
    throw (await import('./refused.ts')).refusalOf(answered.problem, name);
  };
