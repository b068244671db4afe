import type { SessionDigest } from './digest.ts';
import { createFingerprintTable, type FingerprintTable } from './fingerprints.ts';

/** The session that another one goes on from, and how many messages it took over. */
export type Continues = { readonly sessionId: string; readonly by: 'resume' | 'fork'; readonly shared: number };

export type Lineage = {
  /** By position of the digest. */
  readonly continues: readonly (Continues | null)[];
  /** Positions of digests, sources before their copies: whoever counts in this order counts a copy for its source. */
  readonly order: readonly number[];
};

/**
 * CONT-1: finds for each session the one it was copied from, by shared uuids or, where a version rewrote those, by shared message ids.
 * The main threads' uuids are added to `messages`, which must be empty: there are many, and one table of them is enough.
 */
export const traceLineage = (digests: readonly SessionDigest[], messages: FingerprintTable): Lineage => {
  const uuids = findShared(
    digests.map((digest) => digest.across.ownUuids),
    messages,
  );
  const messageIds = findShared(
    digests.map((digest) => digest.across.responses.messageIds),
    createFingerprintTable(),
    areOneResponse(digests),
  );
  const sources = digests.map((digest, i) => chooseSource(digests, digest, i, uuids, messageIds));
  return { continues: sources.map((source) => source?.continues ?? null), order: sourcesFirst(digests, sources) };
};

type Shared = {
  /** For every list, how many ids it shares with which other list. */
  readonly counts: readonly ReadonlyMap<number, number>[];
  /** Whether the id at a place of a list is in the other list too. */
  readonly has: (list: number, at: number, other: number) => boolean;
};

const findShared = (lists: readonly Uint32Array[], table: FingerprintTable, proves: (holders: readonly Holder[]) => boolean = () => true): Shared => {
  // By number in the table: the first list that has the id, and where.
  const first = new Int32Array(lists.reduce((sum, words) => sum + words.length, 0));
  const holders = new Map<number, Holder[]>();
  lists.forEach((words, list) => {
    for (let at = 0; at * 2 < words.length; at += 1) {
      const size = table.size();
      const number = table.add(words, at);
      if (number === size) first.set([list, at], number * 2);
      else {
        const known = holders.get(number) ?? [{ list: first[number * 2] ?? 0, at: first[number * 2 + 1] ?? 0 }];
        if (known.at(-1)?.list !== list) known.push({ list, at });
        if (known.length > 1) holders.set(number, known);
      }
    }
  });
  for (const [number, known] of holders) if (!proves(known)) holders.delete(number);
  const has = (list: number, at: number, other: number): boolean => {
    const words = lists[list];
    return words !== undefined && (holders.get(table.find(words, at))?.some((holder) => holder.list === other) ?? false);
  };
  return { counts: countPairs(lists.length, holders.values()), has };
};

type Holder = { readonly list: number; readonly at: number };

// A session and its forks share most ids among the same few: those are counted together, or many forks would be compared for every message.
const countPairs = (size: number, shared: Iterable<readonly Holder[]>): readonly ReadonlyMap<number, number>[] => {
  const groups = new Map<string, { readonly lists: readonly number[]; count: number }>();
  for (const holders of shared) {
    const key = holders.map(({ list }) => list).join();
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { lists: holders.map(({ list }) => list), count: 1 });
    else known.count += 1;
  }
  const counts = Array.from({ length: size }, () => new Map<number, number>());
  for (const { lists, count } of groups.values()) {
    for (const one of lists) for (const other of lists) if (one !== other) counts[one]?.set(other, (counts[one].get(other) ?? 0) + count);
  }
  return counts;
};

// Two request ids on one message id are two responses of an endpoint that reuses ids, which proves no kinship.
const areOneResponse =
  (digests: readonly SessionDigest[]) =>
  (holders: readonly Holder[]): boolean => {
    const requests = new Set<string>();
    for (const { list, at } of holders) {
      const words = digests[list]?.across.responses.requestIds;
      const request = `${words?.[at * 2] ?? 0}.${words?.[at * 2 + 1] ?? 0}`;
      if (request !== '0.0') requests.add(request);
    }
    return requests.size <= 1;
  };

type Source = { readonly at: number; readonly continues: Continues } | null;

const chooseSource = (digests: readonly SessionDigest[], copy: SessionDigest, i: number, uuids: Shared, messageIds: Shared): Source => {
  // Message ids only speak where uuids are silent: some versions rewrote those when they copied.
  const [best] = [
    ...candidatesBy(digests, copy, i, { ...uuids, timesOf: (digest) => digest.across.ownTimes }),
    ...candidatesBy(digests, copy, i, { ...messageIds, timesOf: responseTimes }).filter(({ at }) => uuids.counts[i]?.has(at) !== true),
  ];
  if (best === undefined) return null;
  return { at: best.at, continues: { sessionId: best.digest.id, by: wroteCopies(copy) ? 'resume' : 'fork', shared: best.shared } };
};

/** Shared ids, and when the records were written that the lists' ids stand for. */
type Evidence = Shared & { readonly timesOf: (digest: SessionDigest) => Float64Array };

const responseTimes = ({ across: { responses } }: SessionDigest): Float64Array =>
  Float64Array.from(responses.modelOf, (_, i) => responses.numbers[i * 7 + 5] ?? Number.NaN);

type Candidate = { readonly at: number; readonly shared: number; readonly digest: SessionDigest };

const candidatesBy = (digests: readonly SessionDigest[], copy: SessionDigest, i: number, evidence: Evidence): readonly Candidate[] =>
  [...(evidence.counts[i] ?? [])]
    .flatMap(([at, shared]) => {
      const digest = digests[at];
      return digest !== undefined && isBefore(digest, at, copy, i, evidence) ? [{ at, shared, digest }] : [];
    })
    .sort(
      (a, b) =>
        b.shared - a.shared ||
        Number(isNamed(copy, b.digest)) - Number(isNamed(copy, a.digest)) ||
        birthOf(a.digest) - birthOf(b.digest) ||
        byId(a.digest, b.digest),
    );

const isNamed = (copy: SessionDigest, source: SessionDigest | undefined): boolean => source !== undefined && copy.across.foreign.includes(source.id);

const birthOf = (digest: SessionDigest | undefined): number => {
  const birth = Math.min(digest?.across.stateAt ?? Number.NaN, Number.MAX_SAFE_INTEGER);
  return Number.isFinite(birth) ? birth : (digest?.startedAt ?? 0);
};

// A copy names its source; else the one whose first state was written first was there first, since copies keep the times of messages only; else
// the one that is wholly contained in the other; else whoever wrote something of its own first.
const isBefore = (source: SessionDigest, at: number, copy: SessionDigest, i: number, evidence: Evidence): boolean => {
  const named = isNamed(copy, source);
  if (named !== isNamed(source, copy)) return named;
  const later = copy.across.stateAt - source.across.stateAt;
  if (later > 0 || later < 0) return later > 0;
  const shared = evidence.counts[i]?.get(at) ?? 0;
  const isWhole = (digest: SessionDigest): boolean => shared === evidence.timesOf(digest).length;
  if (isWhole(source) !== isWhole(copy)) return isWhole(source);
  const mine = ownBirth(copy, i, at, evidence);
  const theirs = ownBirth(source, at, i, evidence);
  if (theirs !== mine) return theirs < mine;
  const sooner = copy.startedAt - source.startedAt;
  return sooner > 0 || (!(sooner < 0) && byId(source, copy) < 0);
};

// The last word, so that the order of reading never decides.
const byId = (a: SessionDigest | undefined, b: SessionDigest | undefined): number => ((a?.id ?? '') < (b?.id ?? '') ? -1 : 1);

const ownBirth = (digest: SessionDigest, list: number, other: number, evidence: Evidence): number => {
  let birth = Number.isFinite(digest.across.stateAt) ? digest.across.stateAt : Number.POSITIVE_INFINITY;
  evidence.timesOf(digest).forEach((time, at) => {
    if (time < birth && !evidence.has(list, at, other)) birth = time;
  });
  return birth;
};

/** Up to 2.0.13 a resumed session was a copy in a new file; since then only a fork is. */
const wroteCopies = (copy: SessionDigest): boolean => {
  const newest = copy.versions.map(versionNumber).reduce((a, b) => Math.max(a, b), 0);
  return newest < versionNumber('2.0.14');
};

const versionNumber = (version: string): number => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return (major * 1000 + minor) * 10_000 + patch;
};

const sourcesFirst = (digests: readonly SessionDigest[], sources: readonly Source[]): readonly number[] => {
  const generation = sources.map((source, i) => {
    let steps = 0;
    const seen = new Set([i]);
    for (let at = source?.at; at !== undefined && !seen.has(at); at = sources[at]?.at) {
      seen.add(at);
      steps += 1;
    }
    return steps;
  });
  return digests
    .map((_, i) => i)
    .sort(
      (a, b) =>
        (generation[a] ?? 0) - (generation[b] ?? 0) || (digests[a]?.startedAt || 0) - (digests[b]?.startedAt || 0) || byId(digests[a], digests[b]),
    );
};
