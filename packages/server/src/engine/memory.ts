import {
  contextIdOfSidebar,
  inheritedBy,
  isTranscript,
  localTo,
  parseRef,
  sidebarIdOfContext,
  type Board,
  type ChainedEntry,
  type NumberedType,
  type Segment,
  type SenderType,
  type Sidebar,
} from '@yarnboard/domain';
import { recordOf, type Store } from '@yarnboard/store';
import { rowFrom } from '../sessions/conversation-row.ts';
import { messageViews } from '../sessions/message-view.ts';
import { createBranches, type Branches } from '../sessions/session-branch.ts';
import { createSessionLoader, type SessionLoader } from '../sessions/session-loader.ts';

/** Needed to read memory; it caches walked branches of sessions, and the exchanges of messages. */
export type Memory = Pick<Store, 'log' | 'library'> & { readonly branches: Branches; readonly exchanges: Map<string, string> };

/** `sessions` may be shared with other readers. */
export const createMemory = (
  { log, library }: Pick<Store, 'log' | 'library'>,
  sessions: Pick<SessionLoader, 'load'> = createSessionLoader({ log, library }),
): Memory => ({
  log,
  library,
  branches: createBranches({ log, library }, sessions),
  exchanges: new Map(),
});

/** A message: of a session or a sidebar, or merged into it by a sidebar. */
export type Remembered = {
  readonly kind: 'message' | 'merged';
  /** MSG-n; null if it has no number. */
  readonly ref: string | null;
  /** EXCH-n, the exchange it belongs to. */
  readonly exchange: string | null;
  readonly position: number;
  readonly at: number;
  readonly sender: string;
  readonly senderType: SenderType;
  readonly contextId: string;
  readonly text: string;
  readonly citations: readonly string[];
  /** The speaker's confidence. */
  readonly confidence: number | null;
  /** REC-82: who changed its words before they were logged; null if they are the sender's own. */
  readonly amendedBy: string | null;
};

/** A place in memory: what follows this position of this stretch, in reading order. */
export type MemoryCursor = { readonly segment: number; readonly position: number };

export type MemoryPage = { readonly items: readonly Remembered[]; readonly next: MemoryCursor | null };

export type MemoryWish = {
  readonly after?: MemoryCursor | undefined;
  readonly limit: number;
  readonly isNewestFirst?: boolean;
  /** A stretch of which only the merges into it are wanted. */
  readonly known?: Segment | null;
};

/** ENGINE-30, ENGINE-38: a page of what a sidebar remembers, oldest or newest first. */
export const readMemory = async (
  memory: Memory,
  board: Board,
  sidebar: Sidebar,
  part: 'inherited' | 'local',
  { limit, isNewestFirst = false, known = null, after = { segment: 0, position: edgeOf(isNewestFirst) } }: MemoryWish,
): Promise<MemoryPage> => {
  const segments = part === 'local' ? [localTo(sidebar)] : inheritedBy(board, sidebar);
  const inOrder = isNewestFirst ? segments.toReversed() : segments;
  const read = isNewestFirst ? readStretchBack : readStretch;
  const items: Remembered[] = [];
  for (let { segment, position } = after; segment < inOrder.length; segment += 1, position = edgeOf(isNewestFirst)) {
    const stretch = inOrder[segment];
    if (stretch === undefined) break;
    // One more than wanted shows whether there is more.
    const found = await (isSame(stretch, known)
      ? readMerged(memory, stretch, position, isNewestFirst)
      : read(memory, stretch, position, limit - items.length + 1));
    const taken = found.slice(0, limit - items.length);
    items.push(...taken);
    const last = taken.at(-1)?.position ?? position;
    if (found.length > taken.length) return { items, next: { segment, position: last } };
  }
  return { items, next: null };
};

/** Where reading a stretch starts. */
const edgeOf = (isNewestFirst: boolean): number => (isNewestFirst ? Number.MAX_SAFE_INTEGER : 0);

/** MEM-12: whether a sidebar has inherited any messages. */
export const hasInherited = async (memory: Memory, board: Board, sidebar: Sidebar): Promise<boolean> => {
  // The nearest first: usually it has some.
  for (const segment of inheritedBy(board, sidebar).toReversed()) {
    if (segment.kind === 'local' && (await saidIn(memory, segment, 0, 1)).length > 0) return true;
    // The message it is attached to counts, so no session has to be read.
    if (segment.kind === 'session' && (segment.leafUuid !== null || (await memory.branches(segment)).positions.length > 0)) return true;
  }
  return false;
};

/** Every exchange that a sidebar has inherited. */
export const exchangesInherited = async (memory: Memory, board: Board, sidebar: Sidebar): Promise<ReadonlySet<string>> => {
  const names = new Set<string>();
  for (const segment of inheritedBy(board, sidebar)) {
    if (segment.kind === 'session') {
      for (const exchange of (await memory.branches(segment)).exchanges) if (exchange !== null) names.add(exchange);
      continue;
    }
    for (let from = 0; ;) {
      const entries = await saidIn(memory, segment, from, PAGE);
      for (const { refs } of entries) for (const ref of refs) if (ref.startsWith('EXCH-')) names.add(ref);
      const last = entries.at(-1);
      if (last === undefined) break;
      from = last.position;
    }
  }
  return names;
};

/** Which of these a sidebar has inherited, without reading all messages. */
export const inheritedAmong = async (memory: Memory, board: Board, sidebar: Sidebar, names: readonly string[]): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  const segments = inheritedBy(board, sidebar);
  for (const segment of segments) {
    if (segment.kind !== 'session') continue;
    const known = new Set((await memory.branches(segment)).exchanges);
    for (const name of names) if (known.has(name)) found.add(name);
  }
  for (const name of names) {
    const read = found.has(name) ? null : parseRef(name);
    if (read === null || !read.ok || read.value.kind !== 'numbered' || read.value.type !== 'EXCH' || name !== `EXCH-${read.value.number}`) continue;
    const position = await memory.log.positionOfRef('EXCH', read.value.number);
    const entry = position === null ? null : await memory.log.entryAt(position);
    if (entry === null) continue;
    const isIn = (segment: Segment): boolean =>
      segment.kind === 'local' && contextIdOfSidebar(segment.sidebarId) === entry.contextId && entry.position <= segment.upTo && isSaid(entry);
    if (segments.some(isIn)) found.add(name);
  }
  return found;
};

/** CLAIM-1: the messages of one exchange that a sidebar inherited, oldest first; null if it hasn't inherited it. */
export const readExchange = async (memory: Memory, board: Board, sidebar: Sidebar, name: string): Promise<readonly Remembered[] | null> => {
  for (const segment of inheritedBy(board, sidebar)) {
    if (segment.kind === 'session') {
      const { exchanges } = await memory.branches(segment);
      const start = exchanges.indexOf(name);
      if (start < 0) continue;
      const end = exchanges.findIndex((one, at) => at > start && one !== name);
      return readBranch(memory, segment, start, Math.min(end < 0 ? exchanges.length : end, start + MOST_OF_EXCHANGE));
    }
    const read = parseRef(name);
    const position = read.ok && read.value.kind === 'numbered' ? await memory.log.positionOfRef('EXCH', read.value.number) : null;
    const entry = position === null ? null : await memory.log.entryAt(position);
    if (entry === null || entry.contextId !== contextIdOfSidebar(segment.sidebarId) || entry.position > segment.upTo || !isSaid(entry)) continue;
    // Answers mostly follow soon; a much later message is judged separately.
    const near = await remembered(memory, await saidIn(memory, segment, entry.position - 1, PAGE));
    return near.filter(({ exchange }) => exchange === name).slice(0, MOST_OF_EXCHANGE);
  }
  return null;
};

/** EPI-7: a message, or the exchange with this number, wherever it was said; null if it doesn't exist. */
export const readSaid = async (memory: Memory, type: NumberedType, number: number): Promise<readonly Remembered[] | null> => {
  const position = type === 'MSG' || type === 'EXCH' ? await memory.log.positionOfRef(type, number) : null;
  const entry = position === null ? null : await memory.log.entryAt(position);
  if (entry === null) return null;
  const name = `${type}-${number}`;
  if (isSaid(entry)) {
    const sidebarId = sidebarIdOfContext(entry.contextId);
    if (type === 'MSG' || sidebarId === null) return remembered(memory, [entry]);
    const local = { kind: 'local', sidebarId, upTo: Number.MAX_SAFE_INTEGER } as const;
    const near = await remembered(memory, await saidIn(memory, local, entry.position - 1, PAGE));
    return near.filter(({ exchange }) => exchange === name).slice(0, MOST_OF_EXCHANGE);
  }
  if (!isTranscript(entry.type)) return null;
  const own = async (): Promise<readonly Remembered[]> => {
    const payload = (await memory.log.payloadsOf([entry.position])).get(entry.position) ?? null;
    return [await messageOf(memory, entry, payload, type === 'EXCH' ? name : null)];
  };
  if (type === 'MSG') return own();
  const branch = await branchOf(memory, entry);
  const { exchanges } = await memory.branches(branch);
  const start = exchanges.indexOf(name);
  // On an abandoned branch, the prompt is kept without its answers: they are no longer part of the conversation.
  if (start < 0) return own();
  const end = exchanges.findIndex((one, at) => at > start && one !== name);
  return readBranch(memory, branch, start, Math.min(end < 0 ? exchanges.length : end, start + MOST_OF_EXCHANGE));
};

/** The conversation of a record in its present course. */
const branchOf = async ({ log }: Memory, { sessionId }: ChainedEntry): Promise<Segment & { readonly kind: 'session' }> => ({
  kind: 'session',
  sessionId,
  leafUuid: null,
  upTo: (await log.head()).count,
});

/** MEM-15: the exchange of an entry; null if it isn't a message, or belongs to none. */
export const exchangeAt = async (memory: Memory, entry: ChainedEntry): Promise<string | null> => {
  if (isSaid(entry)) return exchangeOf(memory, entry, new Map());
  if (!isTranscript(entry.type)) return null;
  const { positions, exchanges } = await memory.branches(await branchOf(memory, entry));
  const at = firstBehind(positions, entry.position - 1);
  return positions[at] === entry.position ? (exchanges[at] ?? null) : null;
};

/** MEM-15: whether a sidebar has inherited an entry's text. */
export const isInheritedBy = async (memory: Memory, board: Board, sidebar: Sidebar, entry: ChainedEntry): Promise<boolean> => {
  for (const segment of inheritedBy(board, sidebar)) {
    if (entry.position > segment.upTo) continue;
    if (segment.kind === 'local') {
      if (entry.contextId === contextIdOfSidebar(segment.sidebarId) && isSaid(entry)) return true;
      continue;
    }
    // Only a session that contains it has to be walked.
    if (segment.sessionId !== entry.sessionId) continue;
    const { positions } = await memory.branches(segment);
    if (positions[firstBehind(positions, entry.position - 1)] === entry.position) return true;
  }
  return false;
};

const readStretch = async (memory: Memory, segment: Segment, after: number, limit: number): Promise<readonly Remembered[]> => {
  if (segment.kind === 'local') return remembered(memory, await saidIn(memory, segment, after, limit));
  const start = firstBehind((await memory.branches(segment)).positions, after);
  return readBranch(memory, segment, start, start + limit);
};

const readStretchBack = async (memory: Memory, segment: Segment, before: number, limit: number): Promise<readonly Remembered[]> => {
  if (segment.kind === 'local') return (await remembered(memory, (await saidBefore(memory, segment, before, limit)).toReversed())).toReversed();
  const end = firstBehind((await memory.branches(segment)).positions, before - 1);
  return (await readBranch(memory, segment, Math.max(0, end - limit), end)).toReversed();
};

const isSame = (segment: Segment, known: Segment | null): segment is Segment & { readonly kind: 'session' } =>
  segment.kind === 'session' && known?.kind === 'session' && segment.sessionId === known.sessionId;

/** What sidebars merged into a branch, without its own messages. */
const readMerged = async (
  memory: Memory,
  segment: Segment & { readonly kind: 'session' },
  from: number,
  isNewestFirst: boolean,
): Promise<readonly Remembered[]> => {
  const inBranch = new Set((await memory.branches(segment)).positions);
  const merged = (await memory.log.positionsOfType('memory.merged')).filter((at) => inBranch.has(at) && (isNewestFirst ? at < from : at > from));
  const items = await remembered(memory, await memory.log.entriesAt(merged));
  return isNewestFirst ? items.toReversed() : items;
};

const remembered = async (memory: Memory, entries: readonly ChainedEntry[]): Promise<readonly Remembered[]> => {
  const near = new Map<string, ChainedEntry>();
  bringNear(near, entries);
  const items: Remembered[] = [];
  const payloads = await memory.log.payloadsOf(entries.map(({ position }) => position));
  for (const entry of entries) items.push(rememberedOf(entry, payloads.get(entry.position) ?? null, await exchangeOf(memory, entry, near)));
  return items;
};

/** The messages of a sidebar, and the merges into it. */
const saidIn = async (
  { log }: Memory,
  segment: Segment & { readonly kind: 'local' },
  after: number,
  limit: number,
): Promise<readonly ChainedEntry[]> => {
  const said: ChainedEntry[] = [];
  for (let from = after; said.length < limit;) {
    const entries = await log.entriesOf(contextIdOfSidebar(segment.sidebarId), from, Math.max(limit, PAGE));
    said.push(...entries.filter((entry) => isSaid(entry) && entry.position <= segment.upTo));
    const last = entries.at(-1)?.position;
    if (last === undefined || last >= segment.upTo) break;
    from = last;
  }
  return said.slice(0, limit);
};

/** The same backwards: starting from the newest before a position. */
const saidBefore = async (
  { log }: Memory,
  segment: Segment & { readonly kind: 'local' },
  before: number,
  limit: number,
): Promise<readonly ChainedEntry[]> => {
  const said: ChainedEntry[] = [];
  for (let from = before > segment.upTo ? segment.upTo + 1 : before; said.length < limit;) {
    const entries = await log.entriesBefore(contextIdOfSidebar(segment.sidebarId), from, Math.max(limit, PAGE));
    said.push(...entries.filter(isSaid));
    const last = entries.at(-1)?.position;
    if (last === undefined) break;
    from = last;
  }
  return said.slice(0, limit);
};

/** Messages of a branch by their index. */
const readBranch = async (
  memory: Memory,
  segment: Segment & { readonly kind: 'session' },
  start: number,
  end: number,
): Promise<readonly Remembered[]> => {
  const { positions, exchanges } = await memory.branches(segment);
  const page = positions.slice(start, end);
  const payloads = await memory.log.payloadsOf(page);
  const entries = await memory.log.entriesAt(page);
  const items: Remembered[] = [];
  for (const [i, entry] of entries.entries()) {
    const payload = payloads.get(entry.position) ?? null;
    const exchange = exchanges[start + i] ?? null;
    items.push(isSaid(entry) ? rememberedOf(entry, payload, exchange) : await messageOf(memory, entry, payload, exchange));
  }
  return items;
};

const messageOf = async ({ library }: Memory, entry: ChainedEntry, payload: Uint8Array | null, exchange: string | null): Promise<Remembered> => {
  const found = await library.messageAt(entry.position);
  const row = found === null ? null : await rowFrom(library, found);
  const record = recordOf({ note: null }, payload);
  const facts = { record, isForgotten: payload === null, response: null, resultNames: () => ({ uuid: '', parentUuid: null }), areRecords: false };
  const [view] = row === null ? [] : messageViews({ row, ...facts }, false);
  return { ...aboutEntry(entry), kind: 'message', ref: row?.ref ?? null, exchange, text: view?.content ?? '', amendedBy: null };
};

const rememberedOf = (entry: ChainedEntry, payload: Uint8Array | null, exchange: string | null): Remembered => {
  const told = recordOf({ note: null }, payload);
  const isMerged = entry.type === 'memory.merged';
  const words = told?.[isMerged ? 'text' : 'content'];
  return {
    ...aboutEntry(entry),
    kind: isMerged ? 'merged' : 'message',
    ref: entry.refs.find((ref) => ref.startsWith('MSG-')) ?? null,
    exchange,
    text: payload === null ? '[forgotten]' : typeof words === 'string' ? words : '',
    amendedBy: typeof told?.['amendedBy'] === 'string' ? told['amendedBy'] : null,
  };
};

const aboutEntry = ({ position, timestamp, sender, senderType, contextId, citationsUsed, senderConfidence }: ChainedEntry) => ({
  position,
  at: timestamp,
  sender,
  senderType,
  contextId,
  citations: citationsUsed,
  confidence: senderConfidence,
});

/**
 * A reply belongs to the exchange of what it replies to, through any number of replies. Those are mostly nearby, and read together with their
 * neighbours: a thousand replies take a few queries.
 */
const exchangeOf = async (memory: Memory, entry: ChainedEntry, near: Map<string, ChainedEntry>): Promise<string | null> => {
  const passed: string[] = [];
  let found: string | null = null;
  for (let at: ChainedEntry | null = entry; at !== null;) {
    const parent: string | null = isSaid(at) ? at.parentMsgId : null;
    found = at.refs.find((ref) => ref.startsWith('EXCH-')) ?? (parent === null ? null : exchangeNamed(memory, parent));
    if (found !== null || parent === null) break;
    passed.push(parent);
    const before: ChainedEntry | null = await entryCalled(memory, parent, near);
    // Nobody replies to a later message: an entry that claims so would cause an endless loop.
    at = before !== null && before.position < at.position ? before : null;
  }
  if (found !== null) keepExchange(memory, passed, found);
  return found;
};

const exchangeNamed = ({ exchanges }: Memory, ref: string): string | null => (ref.startsWith('EXCH-') ? ref : (exchanges.get(ref) ?? null));

const keepExchange = ({ exchanges }: Memory, refs: readonly string[], exchange: string): void => {
  if (exchanges.size + refs.length > MOST_EXCHANGES) exchanges.clear();
  for (const ref of refs.slice(0, MOST_EXCHANGES)) exchanges.set(ref, exchange);
};

const entryCalled = async ({ log }: Memory, ref: string, near: Map<string, ChainedEntry>): Promise<ChainedEntry | null> => {
  const known = near.get(ref);
  if (known !== undefined) return known;
  const read = parseRef(ref);
  const position = read.ok && read.value.kind === 'numbered' ? await log.positionOfRef(read.value.type, read.value.number) : null;
  const entry = position === null ? null : await log.entryAt(position);
  if (entry !== null) bringNear(near, [...(await log.entriesBefore(entry.sessionId, entry.position, PAGE)), entry]);
  return entry;
};

const bringNear = (near: Map<string, ChainedEntry>, entries: readonly ChainedEntry[]): void => {
  for (const entry of entries) for (const ref of entry.refs) near.set(ref, entry);
};

const isSaid = ({ type }: Pick<ChainedEntry, 'type'>): boolean => type === 'chat.message' || type === 'memory.merged';

const firstBehind = (positions: readonly number[], after: number): number => {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) > after) high = middle;
    else low = middle + 1;
  }
  return low;
};

const PAGE = 200;
/** Some exchanges last a whole afternoon. */
const MOST_OF_EXCHANGE = 200;
const MOST_EXCHANGES = 50_000;
