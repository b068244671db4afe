import type { ChainedEntry, EmergencyDocument, PendingWrite } from '@yarnboard/domain';
import { forgottenIn, verifyRange, type LogPort } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { fingerprintIn } from '../engine/stored-events.ts';

type Log = Pick<LogPort, 'entryByUuid' | 'payloadsOf'>;

/** What the log has under a write's message id. ENGINE-42: it may be something else that the same sender said later. */
export type OnLog = { readonly kind: 'nothing' | 'another' } | { readonly kind: 'same'; readonly entry: ChainedEntry };

export const onLog = async (log: Log, { uuid, fingerprint }: Pick<PendingWrite, 'uuid' | 'fingerprint'>): Promise<OnLog> => {
  const entry = await log.entryByUuid(uuid);
  if (entry === null) return { kind: 'nothing' };
  const payload = fingerprint === null ? undefined : (await log.payloadsOf([entry.position])).get(entry.position);
  const kept = payload === undefined ? null : fingerprintIn(payload); // null if forgotten, or older than fingerprints
  return kept === null || kept === fingerprint ? { kind: 'same', entry } : { kind: 'another' };
};

export type Checked = {
  /** While there are any, the outage is not over. */
  readonly faults: readonly string[];
  /** Other things the operator should know. */
  readonly notes: readonly string[];
};

/**
 * REC-74: checks the log after a replay: every write is there with the queued words, the chain is intact from the last known entry on, and the board
 * matches the log.
 */
export const checkReplay = async (log: LogPort, engine: Pick<Engine, 'isAsTold'>, document: EmergencyDocument): Promise<Checked> => {
  const { head } = document;
  const faults = [...(await missingIn(log, document)), ...(await brokenFrom(log, head.position))];
  const notes = [...(await goneHead(log, head))];
  if (faults.length === 0 && !(await engine.isAsTold())) notes.push('The board differs from what the log says; run `yarnboard rebuild`.');
  return { faults, notes };
};

const missingIn = async (log: LogPort, { pendingWrites, pendingArchives }: EmergencyDocument): Promise<readonly string[]> => {
  const missing: string[] = [];
  for (const write of [...pendingWrites, ...pendingArchives]) {
    const { n, outcome } = write;
    if (outcome.kind !== 'replayed' && outcome.kind !== 'known') continue;
    if ((await onLog(log, write)).kind !== 'same') missing.push(`Write ${n} was replayed and is not on the log in the words that waited.`);
  }
  return missing;
};

const brokenFrom = async (log: LogPort, position: number): Promise<readonly string[]> => {
  const { count } = await log.head();
  const from = Math.max(1, Math.min(position, count));
  const { broken } = await verifyRange(log, from, count, { forgotten: await forgottenIn(log) });
  return broken === null ? [] : [`The chain is broken at entry ${broken.position}: ${broken.why}.`];
};

/** Whether the log went back: the last entry that a cache knows of is gone, or another one is in its place. */
export const isHeadGone = async (log: Pick<LogPort, 'entryAt'>, { position, checksum }: EmergencyDocument['head']): Promise<boolean> =>
  position > 0 && (await log.entryAt(position))?.checksum !== checksum;

const goneHead = async (log: LogPort, { position, checksum }: EmergencyDocument['head']): Promise<readonly string[]> => {
  if (position === 0) return [];
  const entry = await log.entryAt(position);
  if (entry?.checksum === checksum) return [];
  return [
    entry === null
      ? `Entry ${position} was the last one known when the log went away, and is gone: the log went back.`
      : `Entry ${position} was the last one known when the log went away, and another one is in its place.`,
  ];
};
