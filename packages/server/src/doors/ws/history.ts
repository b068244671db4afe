import type { Entry } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import type { Envelope } from '@yarnboard/transcript';
import type { Scope } from './audience.ts';
import { createConcerns } from './concerns.ts';
import { createFrame, heldBy, type Frame } from './frame.ts';
import type { MapperStates } from '../../sessions/envelopes/mapper-states.ts';
import { createReplay, isTold, type CatchUp, type Replay } from '../../sessions/envelopes/replay.ts';
import type { ToldEvents } from './told-events.ts';

/** A stretch of the log: all requested entries of it, up to `to`. */
export type Page = {
  readonly frames: readonly Frame[];
  readonly to: number;
  /** Its approximate size in memory once all of it was sent. */
  readonly weight: number;
};

/** What precedes the ring, one page at a time, for clients with room for it. Clients that read the same stretch share it. */
export type History = {
  readonly read: (scope: Scope, after: number, hasEnvelopes: boolean) => Promise<Page>;
  readonly drop: () => void;
};

export const createHistory = (store: Pick<Store, 'log' | 'library'>, states: MapperStates, catchUp: CatchUp, events: ToldEvents): History => {
  const { log, library } = store;
  const pages = createPages();
  const reading = new Map<string, Promise<Page>>();
  const replays = createReplays(store, states, catchUp);
  const concerns = createConcerns(log);

  const framesOf = async (key: string, entries: readonly Entry[], to: number, hasEnvelopes: boolean): Promise<Page> => {
    const mapped = entries.filter(isTold);
    const made = hasEnvelopes ? await replays.envelopesOf(key, `${key.slice(0, key.lastIndexOf('|'))}|${to}`, mapped) : null;
    const decided = await events.of(entries);
    // Contents as envelopes and as text.
    const weight = entries.reduce((sum, entry) => sum + 2 * heldBy(entry), 0);
    const frameOf = (entry: Entry): Frame => {
      const event = decided.get(entry.position);
      if (event !== undefined) return createFrame(entry, NONE, { event, names: events.names, toldAt: events.toldAt });
      return createFrame(entry, made === null ? null : (made.get(entry.position) ?? NONE));
    };
    return { frames: entries.map(frameOf), to, weight };
  };

  const readAll = async (key: string, start: number, hasEnvelopes: boolean): Promise<Page> => {
    const entries = await log.entriesAfter(start, PAGE);
    return framesOf(key, entries, entries.at(-1)?.position ?? start, hasEnvelopes);
  };

  const readScope = async (key: string, scope: NonNullable<Scope>, after: number, hasEnvelopes: boolean): Promise<Page> => {
    const end = (await log.head()).count;
    let bound = end;
    const found = new Set<number>();
    const take = (positions: readonly number[]): void => {
      for (const position of positions) found.add(position);
      // There may be more of this one: later entries of the others have to wait.
      if (positions.length === PAGE) bound = Math.min(bound, positions.at(-1) ?? bound);
    };
    for (const context of scope.contexts) take(await library.positionsOf(context, after, PAGE));
    take(await concerns.positions(scope, after, end, PAGE));
    if (scope.agent !== null) take(events.toldAt(scope.agent).filter((position) => position > after && position <= end));
    const all = [...found].filter((position) => position <= bound).sort((a, b) => a - b);
    const page = all.slice(0, PAGE);
    return framesOf(key, await log.entriesAt(page), all.length > PAGE ? (page.at(-1) ?? bound) : Math.max(after, bound), hasEnvelopes);
  };

  return {
    read: async (scope, after, hasEnvelopes) => {
      // Pages of everything begin at round positions, so that clients cut off at different times share them.
      const start = scope === null ? after - (after % PAGE) : after;
      const key = `${scope?.key ?? ''}|${hasEnvelopes ? 'e' : ''}|${start}`;
      for (;;) {
        const known = pages.get(key);
        if (known !== undefined && known.to > after) return known;
        const epoch = states.epoch();
        const running = reading.get(key);
        if (running !== undefined) {
          const page = await running;
          if (states.epoch() !== epoch) continue;
          if (page.to > after) return page;
        }
        const work = scope === null ? readAll(key, start, hasEnvelopes) : readScope(key, scope, after, hasEnvelopes);
        reading.set(key, work);
        try {
          const page = await work;
          // WIRE-18: something was forgotten in the meantime, and this may contain it.
          if (states.epoch() !== epoch) continue;
          pages.keep(key, page);
          return page;
        } finally {
          if (reading.get(key) === work) reading.delete(key);
        }
      }
    },
    drop: () => {
      pages.clear();
      reading.clear();
    },
  };
};

/** The latest pages, as many as there is room for. */
const createPages = () => {
  const pages = new Map<string, Page>();
  let weight = 0;
  const drop = (key: string): void => {
    weight -= pages.get(key)?.weight ?? 0;
    pages.delete(key);
  };
  return {
    get: (key: string): Page | undefined => pages.get(key),
    keep: (key: string, page: Page): void => {
      drop(key);
      pages.set(key, page);
      weight += page.weight;
      for (const oldest of pages.keys()) {
        if (pages.size <= 1 || (pages.size <= MOST_PAGES && weight <= MOST_BYTES)) break;
        drop(oldest);
      }
    },
    clear: (): void => {
      pages.clear();
      weight = 0;
    },
  };
};

type Reader = { readonly replay: Replay; key: string; usedAt: number; busy: Promise<unknown> };

/**
 * A few replays, each of which continues where it stopped: clients far apart don't evict each other's state, and only these work, however many
 * clients read.
 */
const createReplays = (store: Pick<Store, 'log' | 'library'>, states: MapperStates, catchUp: CatchUp) => {
  const readers: Reader[] = [];
  let uses = 0;
  const readerAt = (key: string): Reader => {
    const here = readers.find((one) => one.key === key);
    if (here !== undefined) return here;
    if (readers.length < MOST_REPLAYS) {
      const made: Reader = { replay: createReplay(store, states, catchUp, MOST_ENTRIES), key, usedAt: 0, busy: Promise.resolve() };
      readers.push(made);
      return made;
    }
    return readers.reduce((a, b) => (a.usedAt <= b.usedAt ? a : b));
  };
  return {
    envelopesOf: (from: string, to: string, entries: readonly Entry[]): Promise<ReadonlyMap<number, readonly Envelope[]>> => {
      const reader = readerAt(from);
      uses += 1;
      reader.usedAt = uses;
      reader.key = to;
      const work = reader.busy.then(() => reader.replay.envelopesOf(entries));
      reader.busy = work.catch(() => {}); // reported to the caller
      return work;
    },
  };
};

const NONE: readonly Envelope[] = [];
const PAGE = 64;
const MOST_PAGES = 128;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_REPLAYS = 8;
const MOST_ENTRIES = 100_000;
