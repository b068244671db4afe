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

/** The strings of everything decided on the board. */
export type BoardStrings = { readonly current: (signal: AbortSignal) => Promise<TieIndex> };

/**
 * TRACE-6: a fold over the decided entries of the log. The first query starts it and each later one continues it, paying only for what is new. After
 * a forget it starts over, so nothing forgotten remains.
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
      // Entries that the board doesn't know yet have no names.
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
      // TRACE-14: if this caller gives up, the next one continues from here.
      await makeWay(signal);
    }
    const told = await deedTies(log, deeds);
    index.add(told.ties);
    deeds = told.upTo;
  };

  return {
    current: async (signal) => {
      const mine = turn.then(() => readOn(signal));
      turn = mine.catch(() => {}); // the caller gets the error
      await mine;
      return index;
    },
  };
};
