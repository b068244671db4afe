import { draftOfDeed, ENTRY_TYPES, type ChainedEntry, type Draft } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';

/** A period of a board's life in which positions and numbers keep their meaning. */
export type Epoch = {
  /** The uuid of its first entry; for the first epoch, the id of the board. */
  readonly id: string;
  /** The position of that entry; 0 for the first epoch. */
  readonly position: number;
  readonly recordedAt: number;
  /** How it began, in words. */
  readonly text: string;
};

/** How an epoch began, according to its entry. */
export type EpochNote = {
  /** `command`: by `yarnboard restore`; `found`: the log differed from before when the server started. */
  readonly by: 'command' | 'found';
  /** The number of entries when it began. */
  readonly had: number;
  readonly why: string;
};

/** LOG-32: the present epoch of a board. */
export const epochOf = async (log: LogPort): Promise<Epoch> => {
  const position = (await log.positionsOfType(ENTRY_TYPES.restored)).at(-1);
  const entry = position === undefined ? null : await log.entryAt(position);
  if (entry === null) return firstEpoch(log);
  return { id: entry.uuid, position: entry.position, recordedAt: entry.recordedAt, text: restoreText(entry) };
};

/** The epoch of a board that was never restored, or whose log can't be read now: clients of another epoch start over. */
export const firstEpoch = ({ boardId }: Pick<LogPort, 'boardId'>): Epoch => ({ id: boardId, position: 0, recordedAt: 0, text: '' });

/** Every restore recorded on the log, in words. */
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
