import { cutText, refOfFinding, sidebarIdOfContext, type Board, type ChainedEntry, type Entry, type Sidebar } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';
import { heldIn } from './stored-events.ts';

/**
 * ENGINE-36: the hashes of the payloads that repeat a decided entry's text, found by their references, never by words that happen to match. `words`
 * is the text of a finding, as long as it is known.
 */
export const quotesOf = async (log: LogPort, board: Board, entry: Entry, words: string | null): Promise<ReadonlySet<string>> => {
  const quoting = await quotingOf(log, board, entry, words);
  return new Set(quoting.flatMap(({ payloadHash }) => (payloadHash === null || payloadHash === entry.payloadHash ? [] : [payloadHash])));
};

const quotingOf = async (log: LogPort, board: Board, entry: Entry, words: string | null): Promise<readonly ChainedEntry[]> => {
  switch (entry.type) {
    case 'chat.message':
      return quotingMessage(log, board, entry);
    case 'finding.submitted':
      return quotingFinding(log, board, entry, words);
    case 'gold.created':
      return quotingGold(log, board, entry);
    default:
      return [];
  }
};

/** Notices to those it mentioned, and summaries that quote it. */
const quotingMessage = async (log: LogPort, board: Board, entry: Entry): Promise<readonly ChainedEntry[]> => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(entry.contextId) ?? '');
  const cites = sidebar === undefined ? () => false : isCiting(sidebar, entry.refs);
  const types = new Set(['mention.routed', 'episodic.archived', ...SUMMARIES]);
  const naming = ({ entry: { type }, told }: Naming): boolean =>
    SUMMARIES.has(type) || (type === 'episodic.archived' && isObject(told['pointers'])) ? cites(told) : told['about'] === entry.uuid;
  return [
    ...(await entriesNaming(log, entry, types, naming)),
    ...(sidebar === undefined || sidebar.mergedInto === null
      ? []
      : await entriesOfType(log, 'memory.merged', entry.position, ({ told }) => told['sidebarId'] === sidebar.id && cites(told))),
  ];
};

/** The episode of a waypoint, its backup, and where it was shown, with the matching symptom. */
const quotingGold = async (log: LogPort, board: Board, entry: Entry): Promise<readonly ChainedEntry[]> => {
  const insight = board.golds.get(entry.uuid)?.keyInsight;
  const reasons = insight === undefined ? [] : beginningsOf(insight, 100).map((text) => `Contains GOLD: ${text}`);
  const naming = ({ entry: { type }, told }: Naming): boolean =>
    told['gold'] === entry.uuid || (type === 'scratchpad.backed_up' && reasons.some((reason) => reason === spaced(String(told['reason']))));
  return [
    ...(await entriesNaming(log, entry, new Set(['episodic.archived', 'scratchpad.backed_up']), naming)),
    ...(await entriesOfType(log, 'gold.surfaced', entry.position, naming)),
  ];
};

const quotingFinding = async (log: LogPort, board: Board, entry: Entry, words: string | null): Promise<readonly ChainedEntry[]> => {
  const sidebar = board.sidebars.get(sidebarIdOfContext(entry.contextId) ?? '');
  const finding = sidebar?.scratchpad.findings.find(({ id }) => id === entry.uuid);
  if (sidebar === undefined || finding === undefined) return [];
  const ref = refOfFinding(sidebar.ref, finding);
  const [hasWords, cites] = [isRepeating(sidebar, words), isCiting(sidebar, [ref])];
  const repeats = (told: Told): boolean => hasWords(told) || cites(told);
  const naming: Readonly<Record<string, (told: Told) => boolean>> = {
    // EPI-13: the episode of a whole sidebar contains its summary.
    'episodic.archived': (told) => told['finding'] === entry.uuid || (isObject(told['pointers']) && repeats(told)),
    'scratchpad.backed_up': (told) => listIn(told, 'findings').some((one) => isObject(one) && one['ref'] === ref),
    'finding.checked': (told) => told['finding'] === entry.uuid,
    'conflict.detected': (told) => listIn(told, 'findings').includes(entry.uuid),
    'sidebar.consolidated': repeats,
    'sidebar.merged': repeats,
    'sidebar.archived': repeats,
  };
  const found = await entriesNaming(log, entry, new Set(Object.keys(naming)), ({ entry: one, told }) => naming[one.type]?.(told) === true);
  const announced = await Promise.all(found.filter(({ type }) => type === 'conflict.detected').map((one) => announcementOf(log, one, ref)));
  const merged = await entriesOfType(log, 'memory.merged', entry.position, ({ told }) => told['sidebarId'] === sidebar.id && repeats(told));
  return [...found, ...announced.flat(), ...merged];
};

/** Announcements of conflicts right after them: here, or where they are discussed. */
const announcementOf = async (log: LogPort, conflict: ChainedEntry, ref: string): Promise<readonly ChainedEntry[]> => {
  const behind = await log.entriesAfter(conflict.position, MOST_TOGETHER);
  const next = behind.find(({ type }) => type !== 'conflict.detected');
  return next?.type === 'chat.message' && next.senderType === 'system' && next.citationsUsed.includes(ref) ? [next] : [];
};

/** SUM-5: a generated summary begins with the task and names the source of each sentence. A written one may name anything. */
const isCiting = ({ task }: Sidebar, refs: readonly string[]): ((told: Told) => boolean) => {
  const lead = spaced(task).slice(0, FEWEST_OF_TASK);
  const marks = refs.map((ref) => `(${ref})`);
  return (told) =>
    textsIn(told).some((text) => {
      const at = text.indexOf(lead);
      return at >= 0 && marks.some((mark) => text.includes(mark, at));
    });
};

/**
 * Generated summaries took the beginning of findings, with single spaces. Only its words show whether a summary contains a finding; a few words may
 * match by chance, so they count only as a whole, and only after the task with which such a summary begins.
 */
const isRepeating = ({ task }: Sidebar, words: string | null): ((told: Told) => boolean) => {
  const [lead = ''] = beginningsOf(task, QUOTED);
  const sayings = beginningsOf(words ?? '', QUOTED).filter((said) => said !== '');
  const isIn = (summary: string, said: string): boolean => {
    if (said.length >= FEWEST) return summary.includes(said);
    const start = summary.indexOf(lead);
    return start >= 0 && ` ${summary.slice(start + lead.length)} `.includes(` ${said} `);
  };
  return (told) => textsIn(told).some((text) => sayings.some((said) => isIn(spaced(text), said)));
};

type Told = Readonly<Record<string, unknown>>;
type Naming = { readonly entry: ChainedEntry; readonly told: Told };
type IsNaming = (one: Naming) => boolean;

/** Entries after another one, in the same place, that refer to it. */
const entriesNaming = async (
  log: LogPort,
  { contextId, position }: Entry,
  types: ReadonlySet<string>,
  isNaming: IsNaming,
): Promise<ChainedEntry[]> => {
  const found: ChainedEntry[] = [];
  for (let after = position; ;) {
    const entries = await log.entriesOf(contextId, after, STEP);
    found.push(
      ...(await those(
        log,
        entries.filter(({ type }) => types.has(type)),
        isNaming,
      )),
    );
    const last = entries.at(-1);
    if (last === undefined) return found;
    after = last.position;
  }
};

const entriesOfType = async (log: LogPort, type: string, after: number, isNaming: IsNaming): Promise<ChainedEntry[]> => {
  const positions = await log.positionsOfType(type, after);
  const found: ChainedEntry[] = [];
  for (let from = 0; from < positions.length; from += STEP)
    found.push(...(await those(log, await log.entriesAt(positions.slice(from, from + STEP)), isNaming)));
  return found;
};

const those = async (log: LogPort, entries: readonly ChainedEntry[], isNaming: IsNaming): Promise<readonly ChainedEntry[]> => {
  const payloads = await log.payloadsOf(entries.map(({ position }) => position));
  return entries.filter((entry) => {
    const bytes = payloads.get(entry.position);
    const told = bytes === undefined ? null : heldIn(bytes);
    return told !== null && isNaming({ entry, told });
  });
};

const isObject = (value: unknown): value is Told => typeof value === 'object' && value !== null;
const listIn = (told: Told, key: string): readonly unknown[] => (Array.isArray(told[key]) ? told[key] : []);

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** How a text is quoted, with single spaces: cut before or after collapsing them, and as it was cut before secrets were left whole. */
const beginningsOf = (text: string, most: number): readonly string[] => [
  ...new Set([cutText(spaced(text), most), cutText(text, most), spaced(text).slice(0, most), text.slice(0, most)].map(spaced)),
];

const spaced = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

const QUOTED = 200;
const FEWEST = 12;
const STEP = 1000;
/** More than a single submission makes. */
const MOST_TOGETHER = 100;
/** As much of a task as any summary has that begins with it, unless masked. */
const FEWEST_OF_TASK = 20;
const SUMMARIES: ReadonlySet<string> = new Set(['sidebar.consolidated', 'sidebar.merged', 'sidebar.archived']);
