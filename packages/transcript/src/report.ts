import { analyse, type Analysis } from './analysis.ts';
import { addSpending, NO_SPENDING, sumCosts, type Costs, type Spending } from './costs.ts';
import type { SessionDigest, SidechainDigest } from './digest.ts';
import { createFingerprintTable, type FingerprintTable, type Fingerprints } from './fingerprints.ts';
import type { LineCounts, QuarantineReason } from './parse.ts';
import type { PriceTable } from './prices.ts';
import { mergeTallies, type Tally } from './tally.ts';
import { traceLineage, type Continues } from './sources.ts';

export type SessionReport = Omit<SessionDigest, 'across' | 'sidechains'> & {
  readonly orphans: number;
  readonly sidechains: readonly (SidechainDigest & { readonly spending: Spending })[];
  readonly continues: Continues | null;
  readonly spending: Spending;
};

export type FileFault = { readonly file: string; readonly line: number; readonly offset: number; readonly reason: QuarantineReason };
export type SkippedFile = { readonly file: string; readonly reason: string };

/** What was read of the files, besides sessions. */
export type Reading = {
  readonly files: number;
  readonly counts: Readonly<LineCounts>;
  readonly quarantine: readonly FileFault[];
  readonly skipped: readonly SkippedFile[];
};

export type Report = {
  readonly totals: Readonly<LineCounts> & {
    readonly files: number;
    readonly sessions: number;
    readonly messages: number;
    readonly sidechains: number;
    readonly toolUses: number;
    readonly toolPairs: number;
    readonly branchPoints: number;
    readonly compactions: number;
    readonly spending: Spending;
    readonly unpriced: readonly string[];
  };
  readonly kinds: Tally;
  /** Tags of unknown texts that look as if nobody typed them: a new version may have introduced them. */
  readonly unknownForms: Tally;
  readonly quarantine: readonly FileFault[];
  readonly skipped: readonly SkippedFile[];
  readonly sessions: readonly SessionReport[];
  readonly analysis: Analysis;
  readonly byDay: ReadonlyMap<string, Spending>;
  readonly byModel: ReadonlyMap<string, Spending>;
  readonly byProject: ReadonlyMap<string, Spending>;
  readonly byTool: ReadonlyMap<string, Spending>;
  readonly pricesDate: string;
};

/** Combines the sessions of a whole tree: settles what depends on all of them, and adds up. */
export const combine = (digests: readonly SessionDigest[], reading: Reading, prices: PriceTable): Report => {
  const real = digests.filter((digest) => digest.messages > 0 || digest.sidechains.length > 0);
  const empty = digests.filter((digest) => digest.messages === 0 && digest.sidechains.length === 0);
  const messages = createFingerprintTable(sizeOf(digests.flatMap(({ across }) => [across.ownUuids, across.sideUuids])));
  const lineage = traceLineage(real, messages);
  for (const digest of digests) for (const words of [digest.across.ownUuids, digest.across.sideUuids]) addAll(messages, words);
  const distinctMessages = messages.size();
  const costs = sumCosts(real, lineage.order, prices);
  const titles = titlesFrom(digests, real);
  const isMissing = findMissing(digests);
  const sessions = real.map((digest, i) => reportSession(digest, i, titles[i] ?? null, lineage.continues[i] ?? null, costs, isMissing));
  const unread = new Set(reading.skipped.map(({ file }) => file));
  const bare = empty.flatMap((digest) => digest.files.filter((file) => !unread.has(file)));
  const skipped = [...reading.skipped, ...bare.map((file) => ({ file, reason: 'no messages' }))];
  return {
    totals: {
      ...reading.counts,
      files: reading.files,
      sessions: real.length,
      messages: distinctMessages,
      sidechains: new Set(real.flatMap((digest) => digest.sidechains.map((sidechain) => sidechain.agentId))).size,
      toolUses: countDistinct(digests.map((digest) => digest.across.toolIds)),
      toolPairs: countDistinct(digests.map((digest) => digest.across.pairedToolIds)),
      branchPoints: new Set(real.flatMap((digest) => digest.branches.map((branch) => branch.parentUuid))).size,
      compactions: new Set(real.flatMap((digest) => digest.compactions.map((compaction) => compaction.uuid))).size,
      spending: costs.total,
      unpriced: costs.unpriced,
    },
    kinds: mergeTallies(digests.map((digest) => digest.across.kinds)),
    unknownForms: mergeTallies(digests.map((digest) => digest.across.unknownForms)),
    quarantine: reading.quarantine,
    skipped,
    sessions: sessions.sort((a, b) => orderOf(a.startedAt) - orderOf(b.startedAt) || (a.id < b.id ? -1 : 1)),
    analysis: analyse(real),
    byDay: costs.byDay,
    byModel: costs.byModel,
    byProject: sumBy(sessions, ({ project }) => project ?? 'unknown'),
    byTool: sumBy(sessions, ({ tool }) => tool ?? 'unknown'),
    pricesDate: prices.date,
  };
};

const reportSession = (
  digest: SessionDigest,
  i: number,
  title: string | null,
  continues: Continues | null,
  costs: Costs,
  isMissing: (words: Fingerprints, at: number) => boolean,
): SessionReport => {
  const { across, ...facts } = digest;
  return {
    ...facts,
    title: title ?? across.firstPrompt,
    roots: digest.roots + countWhere(across.boundaries, isMissing),
    orphans: countWhere(across.lostParents, isMissing),
    sidechains: digest.sidechains.map((sidechain, at) => ({ ...sidechain, spending: costs.sidechains[i]?.[at] ?? NO_SPENDING })),
    continues,
    spending: costs.sessions[i] ?? NO_SPENDING,
  };
};

// A summary names its session by one of that session's records; it may be in any file.
const titlesFrom = (digests: readonly SessionDigest[], real: readonly SessionDigest[]): readonly (string | null)[] => {
  const titles = real.map((digest) => digest.title);
  const wanted = createFingerprintTable();
  const texts: string[] = [];
  for (const { leaf, text } of digests.flatMap((digest) => digest.across.summaries)) texts[wanted.add(leaf, 0)] = text;
  if (wanted.size() === 0) return titles;
  return real.map((digest, i) => {
    let title: string | null = null;
    for (const words of [digest.across.ownUuids, digest.across.sideUuids]) {
      for (let at = 0; at * 2 < words.length; at += 1) {
        const number = wanted.find(words, at);
        if (number !== -1) title = texts[number] ?? title;
      }
    }
    return titles[i] ?? title;
  });
};

const addAll = (table: FingerprintTable, words: Fingerprints): void => {
  for (let at = 0; at * 2 < words.length; at += 1) table.add(words, at);
};

const sizeOf = (lists: readonly Fingerprints[]): number => lists.reduce((sum, words) => sum + words.length / 2, 0);

const countDistinct = (lists: readonly Fingerprints[]): number => {
  const table = createFingerprintTable(sizeOf(lists));
  for (const words of lists) addAll(table, words);
  return table.size();
};

// DAG-4: which of the parents missing from a session are in no file at all. There are few, so those are looked for among all records.
const findMissing = (digests: readonly SessionDigest[]): ((words: Fingerprints, at: number) => boolean) => {
  const wanted = createFingerprintTable();
  for (const { across } of digests) for (const words of [across.boundaries, across.lostParents]) addAll(wanted, words);
  const isFound = new Uint8Array(wanted.size());
  if (wanted.size() > 0) {
    for (const { across } of digests) {
      for (const words of [across.ownUuids, across.sideUuids, across.otherUuids]) {
        for (let at = 0; at * 2 < words.length; at += 1) {
          const number = wanted.find(words, at);
          if (number !== -1) isFound[number] = 1;
        }
      }
    }
  }
  return (words, at) => isFound[wanted.find(words, at)] === 0;
};

const countWhere = (words: Fingerprints, holds: (words: Fingerprints, at: number) => boolean): number => {
  let count = 0;
  for (let at = 0; at * 2 < words.length; at += 1) if (holds(words, at)) count += 1;
  return count;
};

const sumBy = (sessions: readonly SessionReport[], keyOf: (session: SessionReport) => string): ReadonlyMap<string, Spending> => {
  const sums = new Map<string, Spending>();
  for (const session of sessions) {
    const key = keyOf(session);
    sums.set(key, addSpending(sums.get(key) ?? NO_SPENDING, session.spending));
  }
  return new Map([...sums].sort(([, a], [, b]) => b.costUsd - a.costUsd));
};

const orderOf = (instant: number): number => (Number.isFinite(instant) ? instant : Number.MAX_SAFE_INTEGER);
