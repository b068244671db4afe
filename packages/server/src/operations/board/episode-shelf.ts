import { hasSecrets, maskSecrets, standingOfEpisode, type Board, type Episode, type EpisodeStanding } from '@yarnboard/domain';

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
 * EPI-11: an index of episodes. An episode's content never changes, so it is indexed once, while its standing is looked up each time. If the board is
 * rebuilt after a forget, so is the index.
 */
export type EpisodeShelf = {
  /** In log order. */
  readonly fitting: (board: Board, wish: EpisodeWish) => readonly Episode[];
  /** Episodes that keep this message or exchange, alone or among others. */
  readonly keeping: (board: Board, ref: string) => readonly Episode[];
};

export const createEpisodeShelf = (): EpisodeShelf => {
  let places = emptyPlaces(null);

  const refresh = ({ episodes }: Board): Places => {
    if (places.of !== episodes || episodes.size() < places.count) places = emptyPlaces(episodes);
    if (episodes.size() === places.count) return places;
    let at = 0;
    for (const [id, episode] of episodes.entries()) {
      at += 1;
      if (at > places.count) put(places, id, episode);
    }
    places.count = at;
    return places;
  };

  return {
    fitting: (board, wish) => {
      const known = refresh(board);
      const fits = fitting(wish);
      const few = fewest(known, wish);
      const found: Episode[] = [];
      if (few === null) {
        for (const [, episode] of board.episodes.entries()) if (fits(episode)) found.push(episode);
        return found;
      }
      for (const id of few) {
        const episode = board.episodes.get(id);
        if (episode !== undefined && fits(episode)) found.push(episode);
      }
      // Results for several words come from several lists and need sorting.
      return wish.words.length === 0 ? found : found.toSorted((a, b) => a.position - b.position);
    },
    keeping: (board, ref) => (refresh(board).about.get(ref) ?? []).flatMap((id) => board.episodes.get(id) ?? []),
  };
};

/** Lists of ids, each in log order. */
type Places = {
  readonly of: Board['episodes'] | null;
  count: number;
  readonly sidebars: Map<string, string[]>;
  readonly tags: Map<string, string[]>;
  readonly words: Map<string, string[]>;
  readonly about: Map<string, string[]>;
};

const emptyPlaces = (of: Places['of']): Places => ({
  of,
  count: 0,
  sidebars: new Map(),
  tags: new Map(),
  words: new Map(),
  about: new Map(),
});

const put = (places: Places, id: string, episode: Episode): void => {
  const { sourceSidebar, tags, about, sources } = episode;
  if (sourceSidebar !== null) add(places.sidebars, sourceSidebar, id);
  for (const tag of new Set(tags)) add(places.tags, tag, id);
  for (const word of new Set(shownWords(episode))) add(places.words, word, id);
  if (about !== null) for (const ref of new Set([about, ...sources])) add(places.about, ref, id);
};

const add = (map: Map<string, string[]>, key: string, id: string): void => {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, [id]);
  else ids.push(id);
};

/** SEC-23: hidden text can't be found, so only the masked text is indexed. */
const shownWords = ({ content, note }: Episode): readonly string[] => wordsIn(maskSecrets(`${content}\n${note ?? ''}`).text);

/** Splits a text into words as the index stores them. */
export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** The shortest list sure to contain every match; null if only a full scan can tell. */
const fewest = (places: Places, { sidebar, tag, words }: EpisodeWish): readonly string[] | null => {
  const lists = [...(sidebar === null ? [] : [places.sidebars.get(sidebar) ?? []]), ...(tag === undefined ? [] : [places.tags.get(tag) ?? []])];
  // Scanning the list of a sidebar or tag is faster than going through all words of the board.
  if (lists.length === 0 && words.length > 0) return withAll(places.words, words);
  return lists.reduce<readonly string[] | null>((least, list) => (least === null || list.length < least.length ? list : least), null);
};

/** Episodes that contain each of the words, also as part of a longer word. */
const withAll = (index: ReadonlyMap<string, readonly string[]>, words: readonly string[]): readonly string[] => {
  let left: ReadonlySet<string> | null = null;
  for (const word of words) {
    const found = new Set<string>();
    for (const [known, ids] of index) {
      if (!known.includes(word)) continue;
      for (const id of ids) if (left === null || left.has(id)) found.add(id);
    }
    left = found;
  }
  return [...(left ?? [])];
};

const fitting = ({
  sidebar,
  checkpoint,
  trigger,
  tag,
  isProvisional,
  standing,
  since,
  until,
  words,
}: EpisodeWish): ((episode: Episode) => boolean) => {
  const hasWords = (episode: Episode): boolean => {
    const own = shownWords(episode);
    return words.every((word) => own.some((one) => one.includes(word)));
  };
  return (episode) =>
    (sidebar === null || episode.sourceSidebar === sidebar) &&
    (checkpoint === null || episode.sourceCheckpoint === checkpoint) &&
    (trigger === undefined || episode.trigger === trigger) &&
    (isProvisional === undefined || episode.isProvisional === isProvisional) &&
    (standing === undefined || standingOfEpisode(episode) === standing) &&
    (since === null || episode.at >= since) &&
    (until === null || episode.at <= until) &&
    (tag === undefined || (!hasSecrets(tag) && episode.tags.includes(tag))) &&
    (words.length === 0 || hasWords(episode));
};
