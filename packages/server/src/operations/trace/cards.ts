import {
  assertNever,
  cutText,
  findingNamed,
  isStanding,
  itemNamed,
  parseRef,
  refOfContext,
  sidebarOf,
  type Board,
  type Entry,
  type NodeKind,
  type NodeMark,
  type Ref,
} from '@yarnboard/domain';
import { contextOf, readingOf, type MessageRow, type Store } from '@yarnboard/store';
import type { SessionLoader } from '../../sessions/session-loader.ts';
import { timeOf } from '../../sessions/session-view.ts';
import { takenBackAmong } from '../../sessions/taken-back.ts';
import { agentOf } from '../board/agents.ts';
import { namesOf } from '../board/names.ts';
import { isAddress } from './names.ts';
import { breathe, makeWay } from '../request/breathing.ts';
import { heldIn } from '../../engine/stored-events.ts';

export type Card = {
  readonly ref: string;
  readonly uuid: string | null;
  readonly kind: NodeKind;
  readonly title: string | null;
  readonly at: string | null;
  readonly by: string | null;
  readonly context: string | null;
  readonly marks: readonly NodeMark[];
};

type Known = Omit<Card, 'ref' | 'title'> & { readonly title: string | null };

export type CardNeeds = {
  readonly board: Board;
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly sessions: Pick<SessionLoader, 'load'>;
};

/** TRACE-8: describes each thing in a line: its name, author, time, place and standing. */
export const cardsOf = async ({ board, store, sessions }: CardNeeds, nodes: readonly string[], signal: AbortSignal): Promise<readonly Card[]> => {
  await breathe(signal);
  const said = await messagesOf({ board, store, sessions }, nodes);
  const cards: Card[] = [];
  for (const node of nodes) {
    await makeWay(signal);
    const known = said.get(node) ?? onBoard(board, node) ?? (await elsewhere(store, node));
    cards.push({ ...known, ref: node, title: known.title === null ? null : titleOf(known.title) });
  }
  return cards;
};

const titleOf = (text: string): string => {
  const line = cutText(text, MOST_READ).replaceAll(/\s+/gu, ' ').trim();
  const cut = cutText(line, MOST_SHOWN);
  return cut.length < line.length ? `${cut}…` : cut;
};

/** Messages, exchanges and calls, looked up in bulk. */
const messagesOf = async ({ board, store: { log, library }, sessions }: CardNeeds, nodes: readonly string[]): Promise<ReadonlyMap<string, Known>> => {
  const numbered = nodes.flatMap((node) => {
    const read = parseRef(node);
    return read.ok && read.value.kind === 'numbered' && ON_THE_LOG.has(read.value.type) ? [{ node, ref: read.value }] : [];
  });
  const places = await log.positionsOfRefs(numbered.map(({ ref }) => ref));
  const positions = [...new Set(places.flatMap((position) => position ?? []))];
  const entries = new Map((await log.entriesAt(positions)).map((entry) => [entry.position, entry]));
  const payloads = await log.payloadsOf(positions);
  const messages = await library.messagesAt(positions);
  const known = await library.sessionsById([...new Set([...messages.values()].map(({ sessionId }) => sessionId))]);
  const takenBack = await takenBackAmong(sessions, messages, known);
  return new Map(
    numbered.map(({ node, ref }, at) => {
      const entry = entries.get(places[at] ?? 0);
      const payload = entry === undefined ? null : (payloads.get(entry.position) ?? null);
      return [
        node,
        entry === undefined
          ? UNKNOWN[ref.type === 'MSG' ? 'message' : 'exchange']
          : cardOfEntry(board, entry, payload, ref, takenBack.has(entry.position)),
      ];
    }),
  );
};

const cardOfEntry = (
  board: Board,
  entry: Entry,
  payload: Uint8Array | null,
  ref: Extract<Ref, { kind: 'numbered' }>,
  isTakenBack: boolean,
): Known => {
  const part = ref.part ?? 0;
  return {
    uuid: entry.uuid,
    kind: ref.type === 'EXCH' ? 'exchange' : part > 0 ? 'call' : 'message',
    title: payload === null ? null : part > 0 ? callIn(entry, payload, part) : saidIn(entry, payload),
    at: timeOf(entry.timestamp),
    by: entry.sender,
    context: namesOf(board).context(entry.contextId),
    marks: [...(isTakenBack ? (['taken-back'] as const) : []), ...(payload === null && entry.payloadHash !== null ? (['forgotten'] as const) : [])],
  };
};

const saidIn = (entry: Entry, payload: Uint8Array): string => {
  if (entry.type.startsWith('transcript.')) {
    const reading = readingOf(entry, payload);
    return reading?.text ?? reading?.uses.map(({ name }) => name).join(', ') ?? reading?.type ?? '';
  }
  const held = heldIn(payload);
  const text = held?.['content'] ?? held?.['text'];
  return typeof text === 'string' ? text : entry.type;
};

const callIn = (entry: Entry, payload: Uint8Array, part: number): string => readingOf(entry, payload)?.uses[part - 1]?.name ?? 'call';

/** Things that the board knows. */
const onBoard = (board: Board, node: string): Known | null => {
  const read = parseRef(node);
  if (!read.ok) return null;
  const ref = read.value;
  const names = namesOf(board);
  switch (ref.kind) {
    case 'agent': {
      const agent = agentOf(board, node);
      const marks: readonly NodeMark[] = agent === null ? ['unknown'] : agent.isRetired ? ['archived'] : [];
      return { uuid: null, kind: 'agent', title: node.slice('AGENT-'.length), at: time(agent?.registeredAt), by: null, context: null, marks };
    }
    case 'scratch': {
      const sidebar = sidebarOf(board, `SB-${ref.sidebar}`);
      if (ref.finding === null)
        return {
          uuid: sidebar?.id ?? null,
          kind: 'scratchpad',
          title: sidebar === null ? null : `Findings of ${sidebar.ref}`,
          at: time(sidebar?.createdAt),
          by: sidebar?.createdBy ?? null,
          context: sidebar?.ref ?? null,
          marks: sidebar === null ? ['unknown'] : [],
        };
      const named = findingNamed(board, node);
      if (named === null) return UNKNOWN.finding;
      const { id, content, submittedAt, submittedBy, status, supersededBy } = named.finding;
      const marks: NodeMark[] = [];
      if (supersededBy !== null) marks.push('superseded');
      else if (status !== 'confirmed') marks.push(status);
      return { uuid: id, kind: 'finding', ...worded(content, marks), at: time(submittedAt), by: submittedBy, context: named.sidebar.ref };
    }
    case 'file':
      return { uuid: null, kind: 'content', title: node, at: null, by: null, context: null, marks: [] };
    case 'item':
      return itemCard(board, ref);
    case 'numbered':
      break;
  }
  const id = board.ids.get(node) ?? '';
  switch (ref.type) {
    case 'SB': {
      const sidebar = board.sidebars.get(id);
      if (sidebar === undefined) return UNKNOWN.sidebar;
      const { task, createdAt, createdBy, parent, status } = sidebar;
      const marks: readonly NodeMark[] = status === 'ARCHIVED' ? ['archived'] : status === 'FAILED' ? ['failed'] : [];
      return { uuid: id, kind: 'sidebar', ...worded(task, marks), at: time(createdAt), by: createdBy, context: refOfContext(board, parent) };
    }
    case 'GOLD': {
      const gold = board.golds.get(id);
      if (gold === undefined) return UNKNOWN.gold;
      const { keyInsight, createdAt, createdBy, createdIn, superseded, status, isProvisional } = gold;
      const marks: NodeMark[] = [];
      if (superseded !== null) marks.push('superseded');
      else if (!isStanding(gold)) marks.push('rejected');
      if (isProvisional) marks.push('provisional');
      if (status === 'pending') marks.push('pending');
      return { uuid: id, kind: 'gold', ...worded(keyInsight, marks), at: time(createdAt), by: createdBy, context: names.context(createdIn) };
    }
    case 'CITE': {
      const citation = board.citations.get(id);
      if (citation === undefined) return UNKNOWN.citation;
      const { source, content, note, createdAt, createdBy, contextId } = citation;
      const pointed = source.kind === 'reference' ? source.ref : source.kind === 'file' ? source.path : (source.title ?? source.url);
      return {
        uuid: id,
        kind: 'citation',
        ...worded(content ?? note ?? pointed ?? '', []),
        at: time(createdAt),
        by: createdBy,
        context: names.context(contextId),
      };
    }
    case 'MEDIA': {
      const media = board.media.get(id);
      if (media === undefined) return UNKNOWN.media;
      const { filePath, uploadedAt, uploadedBy, uploadedDuring, state } = media;
      const marks: readonly NodeMark[] = state === 'failed' ? ['failed'] : [];
      return { uuid: id, kind: 'media', ...worded(filePath, marks), at: time(uploadedAt), by: uploadedBy, context: names.context(uploadedDuring) };
    }
    case 'MSG':
    case 'EXCH':
    case 'FRAG':
      return null;
    default:
      return assertNever(ref);
  }
};

const itemCard = (board: Board, ref: Extract<Ref, { kind: 'item' }>): Known => {
  const item = itemNamed(board, ref);
  const context = `${ref.of}-${ref.owner}`;
  const about = { context, by: null, at: null };
  if (item === null) return { ...UNKNOWN[KIND_OF_ITEM[ref.type]], context };
  switch (item.type) {
    case 'CHECKPOINT': {
      const { id, summary, createdAt, createdBy } = item.checkpoint;
      return { uuid: id, kind: 'checkpoint', ...worded(summary, []), at: time(createdAt), by: createdBy, context };
    }
    case 'CLAIM':
      return { ...about, uuid: item.claim.id, kind: 'claim', ...worded(item.claim.words ?? item.claim.exchange, []), at: time(item.claim.at) };
    case 'CONFLICT': {
      const { id, description, at, resolved } = item.conflict;
      return { ...about, uuid: id, kind: 'conflict', ...worded(description, resolved === null ? ['pending'] : []), at: time(at) };
    }
    case 'EPISODE': {
      const { id, content, at, by, isSuperseded, isProvisional } = item.episode;
      const marks: readonly NodeMark[] = isSuperseded ? ['superseded'] : isProvisional ? ['provisional'] : [];
      return { ...about, uuid: id, kind: 'episode', ...worded(content, marks), at: time(at), by };
    }
    default:
      return assertNever(item);
  }
};

/** Things known by the name of something else: sessions, sub-agents, records, runs, paths and URLs. */
const elsewhere = async ({ library }: Pick<Store, 'library'>, node: string): Promise<Known> => {
  const plain = { uuid: null, at: null, by: null, context: null, marks: [] } as const;
  const { agentId, sessionId } = contextOf(node);
  if (agentId !== null) {
    const agent = (await library.agents(sessionId)).find((one) => one.agentId === agentId);
    return { ...plain, kind: 'sub-agent', title: `Sub-agent ${agentId}`, at: time(agent?.firstAt), context: sessionId };
  }
  for (const [prefix, kind] of PREFIXES) if (node.startsWith(prefix)) return { ...plain, kind, title: node.slice(prefix.length) };
  if (isAddress(node)) return { ...plain, kind: 'address', title: node };
  const session = await library.session(node);
  if (session !== null)
    return { ...plain, uuid: session.sessionId, kind: 'session', title: session.title, at: time(session.firstAt), context: session.project };
  const at = node.lastIndexOf('@');
  const row: MessageRow | null = at === -1 ? await library.messageByUuid(node) : await library.messageByUuid(node.slice(0, at), node.slice(at + 1));
  if (row !== null) return { ...plain, uuid: row.uuid, kind: 'record', title: row.role, at: time(row.at), context: row.sessionId };
  return { ...plain, kind: /[/\\.]/u.test(node) ? 'file' : 'session', title: node, marks: /[/\\.]/u.test(node) ? [] : ['unknown'] };
};

const worded = (text: string, marks: readonly NodeMark[]): Pick<Known, 'title' | 'marks'> =>
  text === FORGOTTEN ? { title: null, marks: [...marks, 'forgotten'] } : { title: text, marks };

const time = (at: number | null | undefined): string | null => (at == null || at === 0 ? null : timeOf(at));

const unknown = (kind: NodeKind): Known => ({ uuid: null, kind, title: null, at: null, by: null, context: null, marks: ['unknown'] });

const UNKNOWN = {
  message: unknown('message'),
  exchange: unknown('exchange'),
  finding: unknown('finding'),
  sidebar: unknown('sidebar'),
  gold: unknown('gold'),
  citation: unknown('citation'),
  media: unknown('media'),
  checkpoint: unknown('checkpoint'),
  claim: unknown('claim'),
  conflict: unknown('conflict'),
  episode: unknown('episode'),
} as const;

const KIND_OF_ITEM = { CHECKPOINT: 'checkpoint', CLAIM: 'claim', CONFLICT: 'conflict', EPISODE: 'episode' } as const;

const PREFIXES = [
  ['run:', 'run'],
  ['launch:', 'launch'],
  ['permission:', 'permission'],
] as const;

const ON_THE_LOG: ReadonlySet<string> = new Set(['MSG', 'EXCH']);
const FORGOTTEN = '(forgotten)';
const MOST_READ = 400;
const MOST_SHOWN = 120;
