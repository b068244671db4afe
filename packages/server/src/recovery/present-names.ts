import {
  assertNever,
  findingNamed,
  formatRef,
  itemNamed,
  parseRef,
  sidebarOf,
  type Board,
  type ChainedEntry,
  type EmergencyDocument,
  type PendingWrite,
  type Ref,
} from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import * as z from 'zod';
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
  needs: Renaming,
  write: PendingWrite,
): Promise<{ readonly write: PendingWrite; readonly conflict: BadWrite | null }> => {
  const { [FORMER]: _former, ...circumstances } = write.circumstances;
  const names = new Map<string, string>();
  let conflict: BadWrite | null = needs.former.isHeadGone && namesPosition(write) ? { code: LOST, message: POSITION_LOST } : null;
  const fields: Record<string, string> = {};
  for (const { text, ref, field } of namesIn(write.command)) {
    const now = ref.kind === 'numbered' ? await nowOf(needs, ref) : await partNow(needs, ref);
    if ('lost' in now) conflict ??= { code: LOST, message: now.lost };
    else if (field === null) names.set(text, now.name);
    else fields[field] = now.name.replace(/^[^:]*:/u, '');
  }
  return { write: { ...write, circumstances, command: { ...replaced(write.command, names), ...fields } }, conflict };
};

/** What it is called now, or why it can't be said. */
type Now = { readonly name: string } | { readonly lost: string };

const nowOf = async ({ log, board, document, former }: Renaming, name: Numbered): Promise<Now> => {
  const ref = formatRef({ ...name, part: null });
  const uuid = former.uuids.get(ref);
  if (uuid !== undefined) {
    const entry = await log.entryByUuid(uuid);
    const now = entry?.refs.find((one) => one.split('-')[0] === name.type);
    if (now === undefined) return { lost: `it names ${ref}, which was lost with the log; replay that first` };
    return { name: name.part === null ? now : `${now}#${name.part}` };
  }
  if (isAnotherSidebar(board, document, ref)) return { lost: `${ref} is another sidebar now than when this was said` };
  if (former.isHeadGone && !isSameSidebar(board, document, ref)) {
    const position = await log.positionOfRef(name.type, name.number);
    const entry = position === null ? null : await log.entryAt(position);
    if (entry === null) return { lost: `it names ${ref}, which is not on the log that went back` };
    if (isGivenAgain(entry, document)) return { lost: `it names ${ref}, which was given again since the log went back` };
  }
  return { name: formatRef(name) };
};

/** What a sidebar or another thing numbers by itself: its owner may have another number by now, and so may the part within it. */
const partNow = async (needs: Renaming, ref: Part): Promise<Now> => {
  const { log, board, document, former } = needs;
  const [type, number] = ref.kind === 'scratch' ? (['SB', ref.sidebar] as const) : ([ref.of, ref.owner] as const);
  const owner = await nowOf(needs, { kind: 'numbered', type, number, part: null });
  if ('lost' in owner) return owner;
  const ownerNumber = Number(owner.name.slice(type.length + 1));
  const moved: Part = ref.kind === 'scratch' ? { ...ref, sidebar: ownerNumber } : { ...ref, owner: ownerNumber };
  if (ref.kind === 'scratch' && ref.finding === null) return { name: formatRef(moved) };
  const name = formatRef(ref);
  const then = partThen(document, ref);
  if (then !== null) {
    const at = partsNow(board, moved).indexOf(then);
    if (at >= 0) return { name: formatRef(moved.kind === 'scratch' ? { ...moved, finding: at + 1 } : { ...moved, number: at + 1 }) };
    return { lost: `it names ${name}, which is not there any more` };
  }
  if (!former.isHeadGone) return { name: formatRef(moved) };
  const now = partOf(board, moved);
  const entry = now === null ? null : await log.entryByUuid(now);
  if (entry === null) return { lost: `it names ${name}, which is not on the log that went back` };
  if (isGivenAgain(entry, document)) return { lost: `it names ${name}, which was given again since the log went back` };
  return { name: formatRef(moved) };
};

const isGivenAgain = ({ recordedAt }: ChainedEntry, { createdAt }: EmergencyDocument): boolean => recordedAt > Date.parse(createdAt);

/** The uuid of what it stands for; null if there is no such thing. */
const partOf = (board: Board, ref: Part): string | null => {
  if (ref.kind === 'scratch') return findingNamed(board, formatRef(ref))?.finding.id ?? null;
  const item = itemNamed(board, ref);
  switch (item?.type) {
    case 'CHECKPOINT':
      return item.checkpoint.id;
    case 'CLAIM':
      return item.claim.id;
    case 'CONFLICT':
      return item.conflict.id;
    case 'EPISODE':
      return item.episode.id;
    case undefined:
      return null;
    default:
      return assertNever(item);
  }
};

/** The list of a scratchpad that numbers it; null if it is in none. */
const listOf = (ref: Part): 'findings' | 'checkpoints' | 'conflicts' | null => {
  if (ref.kind === 'scratch') return 'findings';
  return ref.type === 'CHECKPOINT' ? 'checkpoints' : ref.type === 'CONFLICT' ? 'conflicts' : null;
};

/** The same, in a scratchpad of the cache; null if the cache doesn't say. */
const partThen = ({ scratchpadStates }: EmergencyDocument, ref: Part): string | null => {
  const list = listOf(ref);
  const [owner, number] = ref.kind === 'scratch' ? [ref.sidebar, ref.finding ?? 0] : [ref.owner, ref.number];
  const kept = keptScratchpad.safeParse(Object.hasOwn(scratchpadStates, `SB-${owner}`) ? scratchpadStates[`SB-${owner}`] : null);
  return list === null || !kept.success ? null : (kept.data[list][number - 1]?.id ?? null);
};

const partsNow = (board: Board, ref: Part): readonly string[] => {
  const list = listOf(ref);
  const sidebar = sidebarOf(board, `SB-${ref.kind === 'scratch' ? ref.sidebar : ref.owner}`);
  return list === null || sidebar === null ? [] : sidebar.scratchpad[list].map(({ id }) => id);
};

const identified = z.array(z.looseObject({ id: z.string() })).default([]);
const keptScratchpad = z.looseObject({ findings: identified, checkpoints: identified, conflicts: identified });

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

/** `field`: where it stands as FINDING-2 or 2, which only its sidebar makes a reference. Anywhere else, 2 is just a number. */
type Name = { readonly text: string; readonly ref: Numbered | Part; readonly field: string | null };

const namesIn = (command: PendingWrite['command']): readonly Name[] => {
  const whole = [...new Set(leavesOf(command))].flatMap((text): readonly Name[] => {
    const ref = nameIn(text);
    return ref === null ? [] : [{ text, ref, field: null }];
  });
  return [...whole, ...shortNamesIn(command, whole)];
};

/** What a command names within its sidebar. */
const shortNamesIn = (command: PendingWrite['command'], whole: readonly Name[]): readonly Name[] => {
  const sidebar = whole.find(({ text }) => text === command['sidebar'])?.ref;
  if (sidebar?.kind !== 'numbered' || sidebar.type !== 'SB') return [];
  return SHORT.flatMap(({ field, prefix, spelled }): readonly Name[] => {
    const text = command[field];
    const [, digits] = typeof text === 'string' ? (new RegExp(`^(?:${prefix}-)?([1-9]\\d*)$`, 'iu').exec(text.trim()) ?? []) : [];
    const ref = digits === undefined ? null : nameIn(`${spelled}-${sidebar.number}:${prefix}-${digits}`);
    return typeof text !== 'string' || ref === null ? [] : [{ text, ref, field }];
  });
};

const SHORT = [
  { field: 'finding', prefix: 'FINDING', spelled: 'SCRATCH' },
  { field: 'supersedes', prefix: 'FINDING', spelled: 'SCRATCH' },
  { field: 'conflict', prefix: 'CONFLICT', spelled: 'SB' },
  { field: 'claim', prefix: 'CLAIM', spelled: 'SB' },
  { field: 'checkpoint', prefix: 'CHECKPOINT', spelled: 'SB' },
] as const;

const nameIn = (text: string): Numbered | Part | null => {
  if (text.length > LONGEST_NAME) return null;
  const read = parseRef(text);
  if (!read.ok) return null;
  const { kind } = read.value;
  return kind === 'numbered' || kind === 'scratch' || kind === 'item' ? read.value : null;
};

type Numbered = Extract<Ref, { readonly kind: 'numbered' }>;
type Part = Extract<Ref, { readonly kind: 'scratch' | 'item' }>;

const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
};

const replaced = <T>(value: T, names: ReadonlyMap<string, string>): T => namesReplaced(value, names) as T; // only texts differ

const namesReplaced = (value: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => namesReplaced(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, namesReplaced(one, names)]));
};

/** The code of conflicts caused by a log that went back. */
export const LOST = 'log-went-back';
const POSITION_LOST = 'it depends on a position of the log, which may be another entry since the log went back';
const LONGEST_NAME = 64;
/** Servers notice the same loss at different times, at most this many milliseconds apart. */
const SAME_LOSS = 3_600_000;
