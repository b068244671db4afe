import { formatRef, parseRef, sidebarOf, type Board, type EmergencyDocument, type PendingWrite, type Ref } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import type { BadWrite } from './pending-command.ts';
import { isHeadGone } from './replay-check.ts';

/** MANY-24: a key in a lost write's circumstances: the former names of its entries, each with the entry's uuid. */
export const FORMER = 'former_names';

export type FormerNames = {
  /** The names that were lost together with the log that a cache was written for, each with the uuid of its entry. */
  readonly uuids: ReadonlyMap<string, string>;
  /** The log went back behind the cache: its positions and numbers may mean something else now. */
  readonly isHeadGone: boolean;
};

export const formerNames = async (
  log: Pick<LogPort, 'entryAt'>,
  documents: readonly EmergencyDocument[],
  document: EmergencyDocument,
): Promise<FormerNames> => {
  const { head, boardId, serverId, createdAt } = document;
  const isGone = await isHeadGone(log, head);
  const lost = documents.filter((one) => one.reason === 'log_went_back' && one.boardId === boardId);
  const own = lost.filter((one) => one.serverId === serverId && one.head.checksum === head.checksum);
  // Other servers know other heads. What they lost long before is an earlier loss, and its numbers were given again since.
  const others = lost.filter((one) => isGone && one.serverId !== serverId && Date.parse(one.createdAt) >= Date.parse(createdAt) - SAME_LOSS);
  return {
    isHeadGone: isGone,
    uuids: new Map(
      [...others, ...own]
        .flatMap(({ pendingWrites }) => pendingWrites.flatMap(({ circumstances }) => Object.entries(circumstances[FORMER] ?? {})))
        .flatMap(([ref, uuid]) => (typeof uuid === 'string' ? [[ref, uuid] as const] : [])),
    ),
  };
};

type Renaming = {
  readonly log: Pick<LogPort, 'entryAt' | 'entryByUuid' | 'positionOfRef'>;
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
  let conflict: BadWrite | null = former.isHeadGone && namesPosition(write) ? { code: LOST, message: POSITION_LOST } : null;
  for (const text of new Set(leavesOf(write.command))) {
    const name = nameIn(text);
    if (name === null) continue;
    const ref = formatRef({ ...name, part: null });
    const uuid = former.uuids.get(ref);
    if (uuid !== undefined) {
      const entry = await log.entryByUuid(uuid);
      const now = entry?.refs.find((one) => one.split('-')[0] === name.type);
      if (now === undefined) conflict ??= { code: LOST, message: `it names ${ref}, which was lost with the log; replay that first` };
      else names.set(text, name.part === null ? now : `${now}#${name.part}`);
    } else if (isAnotherSidebar(board, document, ref)) {
      conflict ??= { code: LOST, message: `${ref} is another sidebar now than when this was said` };
    } else if (former.isHeadGone && !isSameSidebar(board, document, ref)) {
      const position = await log.positionOfRef(name.type, name.number);
      const entry = position === null ? null : await log.entryAt(position);
      if (entry === null) conflict ??= { code: LOST, message: `it names ${ref}, which is not on the log that went back` };
      else if (entry.recordedAt > Date.parse(document.createdAt))
        conflict ??= { code: LOST, message: `it names ${ref}, which was given again since the log went back` };
    }
  }
  return { write: { ...write, circumstances, command: replaced(write.command, names) as PendingWrite['command'] }, conflict }; // only names differ
};

/** Whether it depends on a position, which a log that went back may have given to another entry. */
const namesPosition = ({ command, ifSeq }: PendingWrite): boolean => ifSeq !== null || hasPosition(command);

const hasPosition = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, one]) => (key === 'upTo' && typeof one === 'number') || hasPosition(one));

const isAnotherSidebar = (board: Board, document: EmergencyDocument, ref: string): boolean => {
  const [then, now] = [sidebarThen(document, ref), sidebarOf(board, ref)];
  return then !== null && now !== null && then !== now.id;
};

const isSameSidebar = (board: Board, document: EmergencyDocument, ref: string): boolean => {
  const then = sidebarThen(document, ref);
  return then !== null && then === sidebarOf(board, ref)?.id;
};

/** The uuid of the sidebar that had this name when the cache was begun; null if it was not open, or no sidebar. */
const sidebarThen = ({ sidebarSnapshots }: EmergencyDocument, ref: string): string | null =>
  (Object.hasOwn(sidebarSnapshots, ref) ? sidebarSnapshots[ref]?.uuid : null) ?? null;

const nameIn = (text: string): Numbered | null => {
  if (text.length > LONGEST_NAME) return null;
  const read = parseRef(text);
  return read.ok && read.value.kind === 'numbered' ? read.value : null;
};

type Numbered = Extract<Ref, { readonly kind: 'numbered' }>;

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
const POSITION_LOST = 'it depends on a position of the log, which may be another entry since the log went back';
const LONGEST_NAME = 64;
/** Servers notice the same loss at different times, at most this many milliseconds apart. */
const SAME_LOSS = 3_600_000;
