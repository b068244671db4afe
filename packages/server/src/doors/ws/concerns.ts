import { ENTRY_TYPES, mayDecide } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import { audienceOf, CONCERNING_TYPES, type Scope } from './audience.ts';
import { recordedIn } from './told-events.ts';

/**
 * The log positions of entries that concern somebody besides the followers of their context, or the board itself. Read once, on demand: the log only
 * grows.
 */
export type Concerns = {
  /** The first positions after `after` and up to `upTo`, in order. */
  readonly positions: (scope: NonNullable<Scope>, after: number, upTo: number, limit: number) => Promise<readonly number[]>;
};

export const createConcerns = (log: LogPort): Concerns => {
  const byContext = new Map<string, number[]>();
  const byAgent = new Map<string, number[]>();
  const ofBoard: number[] = [];
  let knownTo = 0;
  let boardKnownTo = 0;
  let reading: Promise<void> = Promise.resolve();

  const between = async (types: readonly string[], after: number, upTo: number): Promise<readonly number[]> =>
    (await Promise.all(types.map((type) => log.positionsOfType(type, after))))
      .flat()
      .filter((position) => position <= upTo)
      .sort((a, b) => a - b);

  const readBoardTo = async (upTo: number): Promise<void> => {
    if (upTo <= boardKnownTo) return;
    const types = (await log.types()).filter((type) => mayDecide(type) || type === ENTRY_TYPES.forgotten);
    for (const position of await between(types, boardKnownTo, upTo)) ofBoard.push(position);
    boardKnownTo = upTo;
  };

  const readTo = async (upTo: number): Promise<void> => {
    if (upTo <= knownTo) return;
    const positions = await between(CONCERNING_TYPES, knownTo, upTo);
    const concerned: (readonly [Map<string, number[]>, string, number])[] = [];
    for (let from = 0; from < positions.length; from += STEP) {
      const events = await recordedIn(log, await log.entriesAt(positions.slice(from, from + STEP)));
      for (const [position, event] of events) {
        const { contexts, agents } = audienceOf(event);
        for (const context of new Set(contexts)) concerned.push([byContext, context, position]);
        for (const agent of new Set(agents)) concerned.push([byAgent, agent, position]);
      }
    }
    // All or nothing: after a failure on the way, none of it may be added twice.
    for (const [of, key, position] of concerned) {
      const known = of.get(key);
      if (known === undefined) of.set(key, [position]);
      else known.push(position);
    }
    knownTo = upTo;
  };

  return {
    positions: async ({ contexts, hasBoard, agent }, after, upTo, limit) => {
      reading = reading.catch(() => {}).then(() => (hasBoard ? readBoardTo(upTo) : readTo(upTo))); // reported to the caller
      await reading;
      const found = new Set<number>();
      const take = (positions: readonly number[]): void => {
        for (let at = firstBehind(positions, after), taken = 0; at < positions.length && taken < limit; at += 1, taken += 1) {
          const position = positions[at] ?? 0;
          if (position > upTo) return;
          found.add(position);
        }
      };
      if (hasBoard) {
        // Anything that concerns somebody was decided: it is among these.
        take(ofBoard);
        return [...found];
      }
      for (const context of contexts) take(byContext.get(context) ?? NONE);
      if (agent !== null) take(byAgent.get(agent) ?? NONE);
      return [...found].sort((a, b) => a - b).slice(0, limit);
    },
  };
};

const firstBehind = (positions: readonly number[], after: number): number => {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
};

const NONE: readonly number[] = [];
const STEP = 500;
