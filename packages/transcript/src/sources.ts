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

const findShared = (lists: readonly Uint32Array[], table: FingerprintTable): Shared => {
  // By number in the table: the first list that has the id.
  const first = new Int32Array(lists.reduce((sum, words) => sum + words.length / 2, 0));
  const holders = new Map<number, number[]>();
  const counts = lists.map(() => new Map<number, number>());
  lists.forEach((words, list) => {
    for (let at = 0; at * 2 < words.length; at += 1) {
      const size = table.size();
      const number = table.add(words, at);
      if (number === size) first[number] = list;
      else if (first[number] !== list) {
        const known = holders.get(number) ?? [first[number] ?? 0];
        if (known.at(-1) === list) continue;
        for (const other of known) {
          counts[list]?.set(other, (counts[list].get(other) ?? 0) + 1);
          counts[other]?.set(list, (counts[other].get(list) ?? 0) + 1);
        }
        holders.set(number, [...known, list]);
      }
    }
  });
  const has = (list: number, at: number, other: number): boolean => {
    const words = lists[list];
    return words !== undefined && (holders.get(table.find(words, at))?.includes(other) ?? false);
  };
  return { counts, has };
};

type Source = { readonly at: number; readonly continues: Continues } | null;

const chooseSource = (digests: readonly SessionDigest[], copy: SessionDigest, i: number, uuids: Shared, messageIds: Shared): Source => {
  const byUuid = uuids.counts[i] ?? new Map<number, number>();
  const byMessage = new Map([...(messageIds.counts[i] ?? [])].filter(([other]) => !byUuid.has(other)));
  const candidates = [...(byUuid.size > 0 ? byUuid : byMessage)]
    .map(([at, shared]) => ({ at, shared, digest: digests[at] }))
    .filter(({ at, digest }) => digest !== undefined && isBefore(digest, at, copy, i, uuids))
    .sort(
      (a, b) =>
        b.shared - a.shared ||
        Number(isNamed(copy, b.digest)) - Number(isNamed(copy, a.digest)) ||
        birthOf(a.digest) - birthOf(b.digest) ||
        byId(a.digest, b.digest),
    );
  const best = candidates[0];
  if (best?.digest === undefined) return null;
  return { at: best.at, continues: { sessionId: best.digest.id, by: wroteCopies(copy) ? 'resume' : 'fork', shared: best.shared } };
};

const isNamed = (copy: SessionDigest, source: SessionDigest | undefined): boolean => source !== undefined && copy.across.foreign.includes(source.id);

const birthOf = (digest: SessionDigest | undefined): number => {
  const birth = Math.min(digest?.across.stateAt ?? Number.NaN, Number.MAX_SAFE_INTEGER);
  return Number.isFinite(birth) ? birth : (digest?.startedAt ?? 0);
};

// A copy names its source; else the one that is wholly contained in the other was there first; else whoever wrote something of its own first.
const isBefore = (source: SessionDigest, at: number, copy: SessionDigest, i: number, uuids: Shared): boolean => {
  const named = isNamed(copy, source);
  if (named !== isNamed(source, copy)) return named;
  const shared = uuids.counts[i]?.get(at) ?? 0;
  if (shared > 0 && (shared === source.messages) !== (shared === copy.messages)) return shared === source.messages;
  const mine = ownBirth(copy, i, at, uuids);
  const theirs = ownBirth(source, at, i, uuids);
  if (theirs !== mine) return theirs < mine;
  const sooner = copy.startedAt - source.startedAt;
  return sooner > 0 || (!(sooner < 0) && byId(source, copy) < 0);
};

// The last word, so that the order of reading never decides.
const byId = (a: SessionDigest | undefined, b: SessionDigest | undefined): number => ((a?.id ?? '') < (b?.id ?? '') ? -1 : 1);

const ownBirth = (digest: SessionDigest, list: number, other: number, uuids: Shared): number => {
  let birth = Number.isFinite(digest.across.stateAt) ? digest.across.stateAt : Number.POSITIVE_INFINITY;
  digest.across.ownTimes.forEach((time, at) => {
    if (time < birth && !uuids.has(list, at, other)) birth = time;
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
