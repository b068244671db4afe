import { ENTRY_TYPES, type EmergencyDocument, type PendingWrite } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import { isHeadGone } from './replay-check.ts';

type Log = Pick<LogPort, 'entryAt' | 'entryByUuid' | 'payloadsOf' | 'positionsOfType'>;

/** REC-87: removes from a resolved document all words forgotten since it was begun; null if it contains none. */
export const withoutForgotten = async (log: Log, document: EmergencyDocument): Promise<EmergencyDocument | null> => {
  // Positions of a log that went back say nothing about what came since.
  const from = (await isHeadGone(log, document.head)) ? 0 : document.head.position;
  if ((await log.positionsOfType(ENTRY_TYPES.forgotten, from)).length === 0) return null;
  const forgotten = new Set<string>();
  for (const write of [...document.pendingWrites, ...document.pendingArchives]) if (await isForgotten(log, write)) forgotten.add(write.uuid);
  const sidebars = Object.entries(document.sidebarSnapshots);
  const hasWords = Object.keys(document.scratchpadStates).length > 0 || sidebars.some(([, { localMemory }]) => localMemory.items.length > 0);
  if (forgotten.size === 0 && !hasWords) return null;
  const silent = (write: PendingWrite): PendingWrite =>
    forgotten.has(write.uuid) ? { ...write, command: { type: write.command.type }, claims: null, wouldDo: '' } : write;
  return {
    ...document,
    pendingWrites: document.pendingWrites.map(silent),
    pendingArchives: document.pendingArchives.map(silent),
    // We can't tell which of these were forgotten, and nobody needs them any more.
    sidebarSnapshots: Object.fromEntries(
      sidebars.map(([name, one]) => [name, { ...one, localMemory: { ...one.localMemory, partial: true, items: [] } }]),
    ),
    scratchpadStates: {},
  };
};

const isForgotten = async (log: Log, { uuid, outcome, command }: PendingWrite): Promise<boolean> => {
  const isSilent = Object.keys(command).length === 1;
  if (isSilent || (outcome.kind !== 'replayed' && outcome.kind !== 'known')) return false;
  const entry = await log.entryByUuid(uuid);
  return entry?.payloadHash != null && !(await log.payloadsOf([entry.position])).has(entry.position);
};
