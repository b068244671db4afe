import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from '@yarnboard/server';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import type { Random } from '../tree/random.ts';
import type { SearchOrder } from './job.ts';
import { PLANTED_WORDS, TIMES, type Place } from './planted.ts';
import { makeMessages, type Made } from './records.ts';
import type { Vocabulary } from '../tree/vocabulary.ts';

/** A message that queries are made of, where it lies. */
export type Sample = Omit<Made, 'item'> & { readonly position: number };

export type Built = {
  readonly payloadBytes: number;
  readonly appendSeconds: number;
  readonly indexSeconds: number;
  readonly settleSeconds: number;
  readonly boardBytes: number;
  readonly indexBytes: number;
  readonly samples: readonly Sample[];
  /** Where each watched word of the vocabulary stands. */
  readonly watched: ReadonlyMap<number, ReadonlySet<number>>;
  /** Where each planted word stands, in the order of PLANTED_WORDS. */
  readonly planted: readonly ReadonlySet<number>[];
};

export class TooSlow extends Error {
  readonly done: number;
  constructor(done: number) {
    super(`only ${done} entries in the given time`);
    this.done = done;
  }
}

/** Fills log and index straight through the store. */
export const buildBoard = async (
  home: Home,
  order: SearchOrder,
  random: Random,
  vocabulary: Vocabulary,
  watch: ReadonlySet<number>,
): Promise<Built> => {
  const path = home.database.slice('sqlite:'.length);
  const store = await openStore(`sqlite:${path}`, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => 'bench', isIndexing: true });
  const deadline = performance.now() + order.patience * 1000;
  const planting = createPlanting(order.messages);
  const messages = makeMessages(random, vocabulary, planting.at);
  const samples: Sample[] = [];
  const watched = new Map([...watch].map((word) => [word, new Set<number>()] as const));
  let payloadBytes = 0;
  let appendSeconds = 0;
  let indexSeconds = 0;
  for (let done = 0; done < order.messages; done += BATCH) {
    const batch: Made[] = [];
    for (let next = messages.next(); next.done !== true && batch.push(next.value) < Math.min(BATCH, order.messages - done); next = messages.next());
    appendSeconds += await timed(() => store.log.append({ items: batch.map(({ item }) => item), files: [] }));
    batch.forEach(({ item, ...made }, i) => {
      const position = done + i + 1;
      payloadBytes += item.payload?.length ?? 0;
      for (const word of made.words) watched.get(word)?.add(position);
      if (random.chance(SAMPLES / order.messages)) samples.push({ ...made, position });
    });
    indexSeconds += await timed(() => store.search.advance(BATCH));
    if (performance.now() > deadline) {
      await store.close();
      throw new TooSlow(done);
    }
  }
  while ((await store.search.advance(BATCH)) > 0);
  const settleSeconds = await timed(() => store.search.settle());
  await store.close();
  return {
    payloadBytes,
    appendSeconds,
    indexSeconds,
    settleSeconds,
    boardBytes: statSync(path).size,
    indexBytes: statSync(join(dirname(path), 'search.db')).size,
    samples,
    watched,
    planted: planting.positions,
  };
};

/** Puts each planted word into the first messages of its kind behind three places that are spread over the whole. */
const createPlanting = (
  messages: number,
): { readonly at: (index: number, place: Place, inAgent: boolean) => string; readonly positions: readonly Set<number>[] } => {
  const positions = PLANTED_WORDS.map(() => new Set<number>());
  const due = PLANTED_WORDS.flatMap((_, word) =>
    Array.from({ length: TIMES }, (_unused, time) => ({ word, from: Math.floor(messages * ((time + 0.3) / TIMES)) + word * 7 })),
  );
  const waiting = [...due].sort((a, b) => a.from - b.from);
  return {
    positions,
    at: (index, place, inAgent) => {
      for (let i = 0; i < waiting.length && (waiting[i]?.from ?? 0) <= index; i += 1) {
        const word = waiting[i]?.word ?? 0;
        const planted = PLANTED_WORDS[word];
        if (planted === undefined || planted.place !== place || planted.inAgent !== inAgent || positions[word]?.has(index + 1) === true) continue;
        waiting.splice(i, 1);
        positions[word]?.add(index + 1);
        return ` ${planted.word} `;
      }
      return '';
    },
  };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};

const BATCH = 2000;
const SAMPLES = 4000;
