import { ENTRY_TYPES, type Tie } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import { heldIn } from '../../engine/stored-events.ts';

/** Strings, after a position, for actions on sessions: which sessions runs and launches were in, and what they asked permission for. */
export const deedTies = async (log: Store['log'], after: number): Promise<{ readonly ties: readonly Tie[]; readonly upTo: number }> => {
  const { count } = await log.head();
  const found = await Promise.all(TYPES.map((type) => log.positionsOfType(type, after)));
  const positions = found
    .flat()
    .filter((position) => position <= count)
    .sort((a, b) => a - b);
  const ties: Tie[] = [];
  for (let from = 0; from < positions.length; from += STEP) {
    const part = positions.slice(from, from + STEP);
    const payloads = await log.payloadsOf(part);
    for (const { position, type, timestamp, sender, sessionId } of await log.entriesAt(part)) {
      const bytes = payloads.get(position);
      const told = bytes === undefined ? null : heldIn(bytes);
      const tie = (start: string, kind: Tie['kind'], end: string, note: string | null = null): Tie => ({
        from: start,
        to: end,
        kind,
        at: timestamp,
        by: sender,
        entry: position,
        how: 'said',
        note,
      });
      const run = textIn(told, 'runId');
      const launch = textIn(told, 'launchId');
      const actor = run === null ? (launch === null ? null : `launch:${launch}`) : `run:${run}`;
      if (actor === null) continue;
      if (type !== ENTRY_TYPES.permissionAsked) {
        if (sessionId !== '' && sessionId !== run) ties.push(tie(actor, 'run-of', sessionId));
        continue;
      }
      const permission = `permission:${run ?? ''}/${textIn(told, 'requestId') ?? ''}`;
      ties.push(tie(permission, 'part-of', actor, textIn(told, 'tool')));
    }
  }
  return { ties, upTo: count };
};

const textIn = (told: Readonly<Record<string, unknown>> | null, name: string): string | null => {
  const value = told?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const TYPES = [
  ENTRY_TYPES.runStarted,
  ENTRY_TYPES.runMoved,
  ENTRY_TYPES.launchStarted,
  ENTRY_TYPES.launchMoved,
  ENTRY_TYPES.permissionAsked,
] as const;
const STEP = 500;
