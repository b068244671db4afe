import { setImmediate } from 'node:timers/promises';
import { hasSecrets, maskSecrets, standingOfEpisode, type Board, type Episode, type EpisodeStanding } from '@yarnboard/domain';
import { createWordIndex, type WordIndex } from './word-index.ts';

/** A filter on episodic memory; an episode must match every given field. */
export type EpisodeWish = {
  readonly sidebar: string | null;
  readonly checkpoint: string | null;
  readonly trigger: Episode['trigger'] | undefined;
  readonly tag: string | undefined;
  readonly isProvisional: boolean | undefined;
  readonly standing: EpisodeStanding | undefined;
  readonly since: number | null;
  readonly until: number | null;
  /** Each must occur, in any case, in the episode's content or note. */
  readonly words: readonly string[];
};

/**
 * EPI-11: an index of episodes. An episode's content never changes, so it is indexed once; only its standing is noted again when it changes. If the
 * board is rebuilt after a forget, so is the index.
 */
export type EpisodeShelf = {
  /** Puts everything in place that this question needs, with pauses: the first one on a large board must not block others. */
  readonly ready: (board: Board, wish: EpisodeWish) => Promise<void>;
  /** The newest that fit, newest first: at most so many, all before this position. */
  readonly newest: (board: Board, wish: EpisodeWish, before: number | null, most: number) => readonly Episode[];
  /** Episodes that keep this message or exchange, alone or among others. */
  readonly keeping: (board: Board, ref: string) => readonly Episode[];
};

export const createEpisodeShelf = (): EpisodeShelf => {
  let shelf = emptyShelf(null);

  const shelfOf = ({ episodes }: Board): Shelf => {
    const isFollowed = shelf.of === episodes && episodes.written !== undefined;
    if (!isFollowed) shelf = emptyShelf(episodes);
    return shelf;
  };

  const keysOf = ({ episodes }: Board): readonly string[] => episodes.written ?? [...episodes.entries()].map(([key]) => key);

  const refresh = (board: Board, isWithWords: boolean): Shelf => {
    const known = shelfOf(board);
    const keys = keysOf(board);
    takeIn(known, board, keys, keys.length);
    if (isWithWords) takeWords(known, known.rows.length);
    return known;
  };

  return {
    ready: async (board, { words }) => {
      const known = shelfOf(board);
      const keys = keysOf(board);
      while (known.seen < keys.length) {
        takeIn(known, board, keys, known.seen + STEP);
        await setImmediate();
      }
      while (words.length > 0 && known.words.size() < known.rows.length) {
        takeWords(known, known.words.size() + WORDS_STEP);
        await setImmediate();
      }
    },
    newest: (board, wish, before, most) => {
      if (wish.tag !== undefined && hasSecrets(wish.tag)) return []; // SEC-23
      const known = refresh(board, wish.words.length > 0);
      const fits = fitting(known, wish);
      const found: Episode[] = [];
      for (const at of candidatesFor(known, wish, endOf(known, before))) {
        if (found.length >= most) break;
        const episode = known.rows[at];
        if (episode !== undefined && fits(at, episode)) found.push(episode);
      }
      return found;
    },
    keeping: (board, ref) => {
      const known = refresh(board, false);
      return (known.about.get(ref) ?? []).flatMap((at) => known.rows[at] ?? []);
    },
  };
};

/** The episodes by number, in log order, and lists of numbers, ascending. */
type Shelf = {
  readonly of: Board['episodes'] | null;
  /** How many writes of the table are in it. */
  seen: number;
  readonly rows: Episode[];
  readonly numbers: Map<string, number>;
  /** What is looked at for every episode where no list narrows it down lies side by side. */
  standings: Uint8Array<ArrayBuffer>;
  times: Float64Array<ArrayBuffer>;
  readonly sidebars: Map<string, number[]>;
  readonly checkpoints: Map<string, number[]>;
  readonly triggers: Map<string, number[]>;
  readonly tags: Map<string, number[]>;
  readonly about: Map<string, number[]>;
  readonly words: WordIndex;
};

const emptyShelf = (of: Shelf['of']): Shelf => ({
  of,
  seen: 0,
  rows: [],
  numbers: new Map(),
  standings: new Uint8Array(1024),
  times: new Float64Array(1024),
  sidebars: new Map(),
  checkpoints: new Map(),
  triggers: new Map(),
  tags: new Map(),
  about: new Map(),
  words: createWordIndex(),
});

/** Takes in the writes up to here: new episodes, and new standings of known ones. */
const takeIn = (shelf: Shelf, { episodes }: Board, keys: readonly string[], to: number): void => {
  for (; shelf.seen < Math.min(to, keys.length); shelf.seen += 1) {
    const key = keys[shelf.seen] ?? '';
    const episode = episodes.get(key);
    if (episode === undefined) continue;
    const known = shelf.numbers.get(key);
    const at = known ?? shelf.rows.length;
    shelf.rows[at] = episode;
    if (known === undefined) put(shelf, at, key, episode);
    shelf.standings[at] = codeOf(episode);
  }
};

const put = (shelf: Shelf, at: number, key: string, { sourceSidebar, sourceCheckpoint, trigger, tags, about, sources, at: time }: Episode): void => {
  shelf.numbers.set(key, at);
  if (at >= shelf.times.length) {
    const [standings, times] = [new Uint8Array(at * 2), new Float64Array(at * 2)];
    standings.set(shelf.standings);
    times.set(shelf.times);
    [shelf.standings, shelf.times] = [standings, times];
  }
  shelf.times[at] = time;
  if (sourceSidebar !== null) add(shelf.sidebars, sourceSidebar, at);
  if (sourceCheckpoint !== null) add(shelf.checkpoints, sourceCheckpoint, at);
  add(shelf.triggers, trigger, at);
  for (const tag of new Set(tags)) add(shelf.tags, tag, at);
  if (about !== null) for (const ref of new Set([about, ...sources])) add(shelf.about, ref, at);
};

const add = (map: Map<string, number[]>, key: string, at: number): void => {
  const list = map.get(key);
  if (list === undefined) map.set(key, [at]);
  else list.push(at);
};

const takeWords = ({ rows, words }: Shelf, to: number): void => {
  for (const episode of rows.slice(words.size(), to)) words.add(shownWords(episode));
};

/** SEC-23: hidden text can't be found, so only the masked text is indexed. */
const shownWords = ({ content, note }: Episode): readonly string[] => wordsIn(maskSecrets(`${content}\n${note ?? ''}`).text);

/** Splits a text into words as the index stores them. */
export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** The number of the first episode at or after this position. */
const endOf = ({ rows }: Shelf, before: number | null): number => {
  if (before === null) return rows.length;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.position ?? 0) < before) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** From the newest on: the shortest list sure to contain every match, or all of them. */
function* candidatesFor(shelf: Shelf, { sidebar, checkpoint, trigger, tag }: EpisodeWish, end: number): Iterable<number> {
  const lists = [
    ...(sidebar === null ? [] : [shelf.sidebars.get(sidebar) ?? []]),
    ...(checkpoint === null ? [] : [shelf.checkpoints.get(checkpoint) ?? []]),
    ...(trigger === undefined ? [] : [shelf.triggers.get(trigger) ?? []]),
    ...(tag === undefined ? [] : [shelf.tags.get(tag) ?? []]),
  ];
  const [shortest] = lists.toSorted((a, b) => a.length - b.length);
  if (shortest === undefined) for (let at = end - 1; at >= 0; at -= 1) yield at;
  else
    for (let i = shortest.length - 1; i >= 0; i -= 1) {
      const at = shortest[i] ?? 0;
      if (at < end) yield at;
    }
}

const fitting = (
  shelf: Shelf,
  { sidebar, checkpoint, trigger, tag, isProvisional, standing, since, until, words }: EpisodeWish,
): ((at: number, episode: Episode) => boolean) => {
  const { standings, times } = shelf;
  const having = words.length === 0 ? null : shelf.words.having(words);
  const isMeant = CODES.map(
    (code) => (isProvisional === undefined || isProvisional === code.isProvisional) && (standing ?? code.standing) === code.standing,
  );
  const [from, to] = [since ?? -Infinity, until ?? Infinity];
  return (at, episode) => {
    if (isMeant[standings[at] ?? 0] !== true) return false;
    const time = times[at] ?? 0;
    if (time < from || time > to) return false;
    if (having !== null && having.candidates !== null && having.candidates[at] !== 1) return false;
    return (
      (sidebar === null || episode.sourceSidebar === sidebar) &&
      (checkpoint === null || episode.sourceCheckpoint === checkpoint) &&
      (trigger === undefined || episode.trigger === trigger) &&
      (tag === undefined || episode.tags.includes(tag)) &&
      (having === null || having.has(at))
    );
  };
};

/** How an episode can stand, as one number. */
const CODES = ([false, true] as const).flatMap((isSuperseded) =>
  ([false, true] as const).map((isProvisional) => ({ isProvisional, standing: standingOfEpisode({ isSuperseded, isProvisional }) })),
);

const codeOf = ({ isSuperseded, isProvisional }: Episode): number => (isSuperseded ? 2 : 0) + (isProvisional ? 1 : 0);

const STEP = 2000;
const WORDS_STEP = 200;
