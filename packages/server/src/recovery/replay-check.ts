import type { ChainedEntry, EmergencyDocument, PendingWrite } from '@yarnboard/domain';
import { forgottenIn, verifyRange, type LogPort } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { fingerprintIn } from '../engine/stored-events.ts';

type Log = Pick<LogPort, 'entryByUuid' | 'payloadsOf'>;

/** What the log has under the message id of a write. ENGINE-42: it may be something else, which its sender said later. */
export type OnLog = { readonly kind: 'nothing' | 'another' } | { readonly kind: 'same'; readonly entry: ChainedEntry };

export const onLog = async (log: Log, { uuid, fingerprint }: Pick<PendingWrite, 'uuid' | 'fingerprint'>): Promise<OnLog> => {
  const entry = await log.entryByUuid(uuid);
  if (entry === null) return { kind: 'nothing' };
  const payload = fingerprint === null ? undefined : (await log.payloadsOf([entry.position])).get(entry.position);
  const kept = payload === undefined ? null : fingerprintIn(payload); // null where it was forgotten, or written before there were any
  return kept === null || kept === fingerprint ? { kind: 'same', entry } : { kind: 'another' };
};

export type Checked = {
  /** As long as there are any, nothing is over. */
  readonly faults: readonly string[];
  /** What the operator should know all the same. */
  readonly notes: readonly string[];
};

/** REC-74: whether a replay left the log as it must be: every write is there in the words that waited, the chain is whole from where the log was left, and the board is what the log tells. */
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
