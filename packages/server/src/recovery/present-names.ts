import { formatRef, parseRef, sidebarOf, type Board, type EmergencyDocument, type PendingWrite } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import type { BadWrite } from './pending-command.ts';

/** MANY-24: a key in a lost write's circumstances: the former names of its entries, each with the entry's uuid. */
export const FORMER = 'former_names';

export type FormerNames = ReadonlyMap<string, string>;

/** The names that were lost together with the log that a cache was written for, each with the uuid of its entry. */
export const formerNames = (documents: readonly EmergencyDocument[], { head, boardId, serverId }: EmergencyDocument): FormerNames =>
  new Map(
    documents
      .filter((one) => one.reason === 'log_went_back' && one.boardId === boardId && one.serverId === serverId && one.head.checksum === head.checksum)
      .flatMap(({ pendingWrites }) => pendingWrites.flatMap(({ circumstances }) => Object.entries(circumstances[FORMER] ?? {})))
      .flatMap(([ref, uuid]) => (typeof uuid === 'string' ? [[ref, uuid] as const] : [])),
  );

type Renaming = {
  readonly log: Pick<LogPort, 'entryByUuid'>;
  readonly board: Board;
  readonly document: EmergencyDocument;
  readonly former: FormerNames;
};

/** REC-86: replaces every name in a write by its current one. Returns a conflict if a name now means something else, or nothing. */
export const renamed = async (
  { log, board, document, former }: Renaming,
  write: PendingWrite,
): Promise<{ readonly write: PendingWrite; readonly conflict: BadWrite | null }> => {
  const { [FORMER]: _former, ...circumstances } = write.circumstances;
  const names = new Map<string, string>();
  let conflict: BadWrite | null = null;
  for (const text of new Set(leavesOf(write.command))) {
    const ref = nameIn(text);
    if (ref === null) continue;
    const uuid = former.get(ref);
    if (uuid !== undefined) {
      const entry = await log.entryByUuid(uuid);
      const now = entry?.refs.find((one) => one.split('-')[0] === ref.split('-')[0]);
      if (now === undefined) conflict ??= { code: LOST, message: `it names ${ref}, which was lost with the log; replay that first` };
      else names.set(text, now);
    } else if (isAnotherSidebar(board, document, ref)) {
      conflict ??= { code: LOST, message: `${ref} is another sidebar now than when this was said` };
    }
  }
  return { write: { ...write, circumstances, command: replaced(write.command, names) as PendingWrite['command'] }, conflict }; // only names differ
};

const isAnotherSidebar = (board: Board, { sidebarSnapshots }: EmergencyDocument, ref: string): boolean => {
  const [then, now] = [Object.hasOwn(sidebarSnapshots, ref) ? sidebarSnapshots[ref] : undefined, sidebarOf(board, ref)];
  return then !== undefined && now !== null && then.uuid !== now.id;
};

const nameIn = (text: string): string | null => {
  if (text.length > LONGEST_NAME) return null;
  const read = parseRef(text);
  return read.ok && read.value.kind === 'numbered' ? formatRef(read.value) : null;
};

const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
};

const replaced = (value: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, names)]));
};

/** The code of conflicts caused by a log that went back. */
export const LOST = 'log-went-back';
const LONGEST_NAME = 64;
