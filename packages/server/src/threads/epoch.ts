import { draftOfDeed, ENTRY_TYPES, type ChainedEntry, type Draft } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';

/** A stretch of a board's life in which positions and numbers mean one thing. */
export type Epoch = {
  /** The uuid of the entry it begins with; of the first, the id of the board. */
  readonly id: string;
  /** Where that entry stands; 0 for the first. */
  readonly position: number;
  readonly recordedAt: number;
  /** How it began, in words. */
  readonly text: string;
};

/** How an epoch came to begin, as its entry says. */
export type EpochNote = {
  /** `command`: with `yarnboard restore`; `found`: the log was another one than before when the server started. */
  readonly by: 'command' | 'found';
  /** How many there were when it began. */
  readonly had: number;
  readonly why: string;
};

/** LOG-32: the epoch that a board is in. */
export const epochOf = async (log: LogPort): Promise<Epoch> => {
  const position = (await log.positionsOfType(ENTRY_TYPES.restored)).at(-1);
  const entry = position === undefined ? null : await log.entryAt(position);
  if (entry === null) return firstEpoch(log);
  return { id: entry.uuid, position: entry.position, recordedAt: entry.recordedAt, text: restoreText(entry) };
};

/** The epoch of a board that was never restored, and of one whose log nobody can read now: whoever counted in another one begins anew. */
export const firstEpoch = ({ boardId }: Pick<LogPort, 'boardId'>): Epoch => ({ id: boardId, position: 0, recordedAt: 0, text: '' });

/** Every restore that the log tells of, in words. */
export const restoresIn = async (log: LogPort): Promise<readonly string[]> => {
  const entries = await log.entriesAt(await log.positionsOfType(ENTRY_TYPES.restored));
  return entries.map(restoreText);
};

const restoreText = (entry: ChainedEntry): string =>
  `a new epoch began at entry ${entry.position} on ${new Date(entry.recordedAt).toISOString()}: ${noteIn(entry)?.why ?? 'an older state was put back'}`;

export const epochDraft = (note: EpochNote, uuid: string, at: number): Draft =>
  draftOfDeed({
    uuid,
    type: ENTRY_TYPES.restored,
    timestamp: at,
    sender: 'yarnboard',
    senderType: 'system',
    contextId: 'board',
    sessionId: 'board',
    contentLength: 0,
    note: JSON.stringify(note),
  });

const noteIn = ({ note }: Pick<ChainedEntry, 'note'>): EpochNote | null => {
  try {
    return JSON.parse(note ?? 'null') as EpochNote | null; // we wrote it, and the chain proves it
  } catch {
    return null;
  }
};
