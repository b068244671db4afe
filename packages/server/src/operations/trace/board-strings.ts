import { createTieIndex, placesIn, tiesIn, type Places, type Recorded, type TieIndex } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import { tellingOf } from '../../engine/barrier.ts';
import { decidedBehind } from '../../engine/decided-entries.ts';
import type { Engine } from '../../engine/engine.ts';
import { makeWay } from '../request/breathing.ts';
import { deedTies } from './deed-ties.ts';
import { nameOfEntry } from './names.ts';

export type BoardStringsNeeds = {
  readonly store: Pick<Store, 'log'>;
  readonly engine: Pick<Engine, 'board' | 'position' | 'forgotten'>;
};

/** The strings of everything that was decided. */
export type BoardStrings = { readonly current: (signal: AbortSignal) => Promise<TieIndex> };

/**
 * TRACE-6: a fold over the decided entries of the log, begun with the first question and carried on with each: whoever asks pays for what came since. What was
 * forgotten is not kept: then it is folded anew.
 */
export const createBoardStrings = ({ store: { log }, engine }: BoardStringsNeeds): BoardStrings => {
  let index = createTieIndex();
  let seen = 0;
  let deeds = 0;
  let forgotten = -1;
  let turn: Promise<void> = Promise.resolve();

  const placesOf = async (events: readonly Recorded[]): Promise<Places> => {
    const wanted = events.map(placesIn);
    const uuids = new Map<string, string>();
    for (const uuid of new Set(wanted.flatMap((one) => one.uuids))) {
      const entry = await log.entryByUuid(uuid);
      if (entry !== null) uuids.set(uuid, nameOfEntry(entry));
    }
    const entries = await log.entriesAt([...new Set(wanted.flatMap((one) => one.positions))]);
    const names = new Map(entries.map((entry) => [entry.position, nameOfEntry(entry)]));
    return { ofUuid: (uuid) => uuids.get(uuid) ?? null, at: (position) => names.get(position) ?? null };
  };

  const readOn = async (signal: AbortSignal): Promise<void> => {
    if (forgotten !== engine.forgotten()) {
      index = createTieIndex();
      seen = 0;
      deeds = 0;
      forgotten = engine.forgotten();
    }
    const known = engine.position();
    for await (const { entries, upTo } of decidedBehind(log, seen)) {
      const board = engine.board();
      // What the board does not know yet has no names.
      const taken = entries.filter(({ entry }) => entry.position <= known);
      const events = taken.flatMap((one) => {
        const telling = tellingOf(board, one);
        return telling.kind === 'event' ? [telling.event] : [];
      });
      const places = await placesOf(events);
      for (const event of events) index.add(tiesIn({ board, event, places }));
      if (taken.length < entries.length) {
        seen = taken.at(-1)?.entry.position ?? seen;
        break;
      }
      seen = Math.max(seen, upTo);
      // TRACE-14: what was read is kept for whoever asks next.
      await makeWay(signal);
    }
    const told = await deedTies(log, deeds);
    index.add(told.ties);
    deeds = told.upTo;
  };

  return {
    current: async (signal) => {
      const mine = turn.then(() => readOn(signal));
      turn = mine.catch(() => {}); // whoever asked hears of it
      await mine;
      return index;
    },
  };
};
