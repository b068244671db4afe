import { RESPONSE_NUMBERS, type SessionDigest } from './digest.ts';
import { createFingerprintTable, type FingerprintTable } from './fingerprints.ts';

/** The session that another one continues, and how many messages it took over. */
export type Continues = { readonly sessionId: string; readonly by: 'resume' | 'fork'; readonly shared: number };

export type Lineage = {
  /** By position of the digest. */
  readonly continues: readonly (Continues | null)[];
  /** Positions of digests, sources before their copies: counting in this order attributes a copy to its source. */
  readonly order: readonly number[];
};

/**
 * CONT-1: finds the session each one was copied from, by shared uuids or, if a version rewrote those, by shared message ids. The main threads' uuids
 * are added to `messages`, which must be empty: there are many, and one table of them is enough.
 */
export const traceLineage = (digests: readonly SessionDigest[], messages: FingerprintTable): Lineage => {
  const uuids = findShared(
    digests.map((digest) => digest.across.ownUuids),
    messages,
  );
  const messageIds = findShared(
    digests.map((digest) => digest.across.responses.messageIds),
    createFingerprintTable(digests.reduce((sum, digest) => sum + digest.across.responses.modelOf.length, 0)),
    areOneResponse(digests),
  );
  const byUuid = evidenceOf(digests, uuids, (digest) => digest.across.ownTimes);
  const byMessage = evidenceOf(digests, messageIds, responseTimes);
  const sources = digests.map((digest, i) => chooseSource(digests, digest, i, byUuid, byMessage));
  return { continues: sources.map((source, i) => source?.continues ?? namedBy(digests[i])), order: sourcesFirst(digests, sources) };
};

/** A fork that copied nothing, or whose source isn't here, still names its origin. */
const namedBy = (digest: SessionDigest | undefined): Continues | null => {
  const [sessionId] = digest?.across.forkedFrom ?? [];
  return sessionId === undefined || sessionId === digest?.id ? null : { sessionId, by: 'fork', shared: 0 };
};

/** Ids shared by the same lists. */
type Group = { readonly lists: ReadonlySet<number>; count: number };

type Shared = {
  /** For every list, how many ids it shares with each other list. */
  readonly counts: readonly ReadonlyMap<number, number>[];
  /** The lists that share the id at a place; null if none do. */
  readonly groupAt: (list: number, at: number) => Group | null;
};

const findShared = (lists: readonly Uint32Array[], table: FingerprintTable, proves: (holders: readonly Holder[]) => boolean = () => true): Shared => {
  // By number in the table: the first list with the id, and its place there.
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
  const groupOf = new Map<number, Group>();
  const groups = new Map<string, Group>();
  for (const [number, known] of holders) {
    if (!proves(known)) continue;
    // A session and its forks share most ids among the same few: those are grouped, or many forks would be compared for every message.
    const key = known.map(({ list }) => list).join();
    const group = groups.get(key) ?? { lists: new Set(known.map(({ list }) => list)), count: 0 };
    group.count += 1;
    groups.set(key, group);
    groupOf.set(number, group);
  }
  const groupAt = (list: number, at: number): Group | null => {
    const words = lists[list];
    return words === undefined ? null : (groupOf.get(table.find(words, at)) ?? null);
  };
  return { counts: countPairs(lists.length, groups.values()), groupAt };
};

type Holder = { readonly list: number; readonly at: number };

const countPairs = (size: number, groups: Iterable<Group>): readonly ReadonlyMap<number, number>[] => {
  const counts = Array.from({ length: size }, () => new Map<number, number>());
  for (const { lists, count } of groups) {
    for (const one of lists) for (const other of lists) if (one !== other) counts[one]?.set(other, (counts[one].get(other) ?? 0) + count);
  }
  return counts;
};

// Two request ids for one message id are two responses of an endpoint that reuses ids, which proves no relation.
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

const chooseSource = (digests: readonly SessionDigest[], copy: SessionDigest, i: number, byUuid: Evidence, byMessage: Evidence): Source => {
  // Message ids count only without shared uuids: some versions rewrote those when copying.
  const [best] = [
    ...candidatesBy(digests, copy, i, byUuid),
    ...candidatesBy(digests, copy, i, byMessage).filter(({ at }) => byUuid.counts[i]?.has(at) !== true),
  ];
  if (best === undefined) return null;
  return {
    at: best.at,
    continues: {
      sessionId: best.digest.id,
      by: wroteCopies(copy) && !copy.across.forkedFrom.includes(best.digest.id) ? 'resume' : 'fork',
      shared: best.shared,
    },
  };
};

type Evidence = {
  readonly counts: Shared['counts'];
  readonly sizeOf: (list: number) => number;
  /** When a session first wrote something that another one doesn't have. */
  readonly ownBirth: (list: number, other: number) => number;
};

const evidenceOf = (digests: readonly SessionDigest[], shared: Shared, timesOf: (digest: SessionDigest) => Float64Array): Evidence => {
  const births = new Map<number, ReadonlyMap<Group | null, number>>();
  const birthsOf = (list: number): ReadonlyMap<Group | null, number> => {
    const known = births.get(list);
    if (known !== undefined) return known;
    const made = new Map<Group | null, number>();
    const digest = digests[list];
    if (digest !== undefined) {
      timesOf(digest).forEach((time, at) => {
        const group = shared.groupAt(list, at);
        if (!(time >= (made.get(group) ?? Number.POSITIVE_INFINITY))) made.set(group, time);
      });
    }
    births.set(list, made);
    return made;
  };
  const ownBirth = (list: number, other: number): number => {
    const stateAt = digests[list]?.across.stateAt ?? Number.NaN;
    let birth = Number.isFinite(stateAt) ? stateAt : Number.POSITIVE_INFINITY;
    for (const [group, time] of birthsOf(list)) if (time < birth && group?.lists.has(other) !== true) birth = time;
    return birth;
  };
  const sizes = digests.map((digest) => timesOf(digest).length);
  return { counts: shared.counts, sizeOf: (list) => sizes[list] ?? 0, ownBirth };
};

const responseTimes = ({ across: { responses } }: SessionDigest): Float64Array =>
  Float64Array.from(responses.modelOf, (_, i) => responses.numbers[i * RESPONSE_NUMBERS + 5] ?? Number.NaN);

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

// A copy names its source; otherwise the session whose first state was written first is the original, since copies keep the times of messages only;
// otherwise the one contained in the other; otherwise the one that first wrote something of its own.
const isBefore = (source: SessionDigest, at: number, copy: SessionDigest, i: number, evidence: Evidence): boolean => {
  const named = isNamed(copy, source);
  if (named !== isNamed(source, copy)) return named;
  const later = copy.across.stateAt - source.across.stateAt;
  if (Number.isFinite(later) && later !== 0) return later > 0;
  const shared = evidence.counts[i]?.get(at) ?? 0;
  const isWhole = (list: number): boolean => shared === evidence.sizeOf(list);
  if (isWhole(at) !== isWhole(i)) return isWhole(at);
  const mine = evidence.ownBirth(i, at);
  const theirs = evidence.ownBirth(at, i);
  if (theirs !== mine) return theirs < mine;
  const sooner = copy.startedAt - source.startedAt;
  return sooner > 0 || (!(sooner < 0) && byId(source, copy) < 0);
};

// The final tie-breaker, so that the order of reading never matters.
const byId = (a: SessionDigest | undefined, b: SessionDigest | undefined): number => ((a?.id ?? '') < (b?.id ?? '') ? -1 : 1);

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
