import { formatRef, parseRef, sidebarOf, type Entry, type Ref } from '@yarnboard/domain';
import { foreign, messageToWire, toWire, type Foreign, type InputOf, type Inside, type OutputOf } from '@yarnboard/protocol';
import type { MessageRow } from '@yarnboard/store';
import type { PendingSession } from '../ingest/ingest.ts';
import { rowFrom } from '../sessions/conversation-row.ts';
import { loggedConversation } from '../sessions/logged-conversation.ts';
import { messageViews, operationView, type MessageFacts, type MessageView } from '../sessions/message-view.ts';
import { pendingConversation } from '../sessions/pending-conversation.ts';
import { timeOf } from '../sessions/session-view.ts';
import { namesOf } from './board/names.ts';
import { messageOfSidebar } from './board/said.ts';
import { thingOf, type Thing } from './board/things.ts';
import { placeOfSession, type SessionReading } from './request/find-session.ts';
import { Refused, refusedFor } from './request/refusal.ts';
import type { Engine } from '../engine/engine.ts';

export type ReferencesNeeds = SessionReading & { readonly engine: Pick<Engine, 'board'>; readonly now: () => number };

export const showMessage = async (needs: ReferencesNeeds, { ref, session }: Pick<InputOf<'message'>, 'ref' | 'session'>): Promise<Foreign> => {
  const found = session === undefined ? null : await placeOfSession(needs, session);
  if (found?.kind === 'pending' && !isPrinted(ref)) return foreign(messageToWire(await viewInFile(needs, found.pending, ref)));
  const said = session === undefined ? await saidAs(needs, ref) : null;
  if (said !== null) return foreign(messageToWire(said));
  const sessionId = found === null || found.kind === 'pending' ? null : found.kind === 'kept' ? found.sessionId : found.row.sessionId;
  const { row, operation } = await messageFor(needs, ref, sessionId);
  const view = await viewOf(needs, row, operation);
  if (view === null) throw new Refused('not-found', `${ref}: the message ${row.uuid} has no such operation; operations are counted from #1`);
  return foreign(messageToWire(view));
};

/** An operation taken from a record: the n-th (from 1), or the one with this uuid. */
type Wanted = { readonly n: number } | { readonly uuid: string };

const viewOf = async (needs: ReferencesNeeds, row: MessageRow, wanted: Wanted | null): Promise<MessageView | null> => {
  const conversation = loggedConversation(needs.store, needs.sessions, row.sessionId);
  const [facts] = await conversation.facts([await rowFrom(needs.store.library, row)]);
  if (facts === undefined) return null;
  const view = viewIn(facts, wanted);
  return view !== null && (await conversation.takenBack()).has(row.uuid) ? { ...view, isTakenBack: true } : view;
};

const viewIn = (facts: MessageFacts, wanted: Wanted | null): MessageView | null => {
  if (wanted === null) return messageViews(facts, false)[0] ?? null;
  if ('n' in wanted) return operationView(facts, wanted.n);
  return messageViews(facts, true).find((view) => view.uuid === wanted.uuid) ?? null;
};

/**
 * The message that a reference or uuid stands for. The canonical spelling always means a reference, whatever a transcript calls its records. For any
 * other spelling, a record with that exact uuid wins: some files have uuids such as "msg-1" and "msg-2".
 */
const messageFor = async (needs: ReferencesNeeds, text: string, sessionId: string | null): Promise<Named> => {
  const { log, library } = needs.store;
  const ref = parseRef(text);
  const named = isPrinted(text) ? null : await byName(needs, text, sessionId);
  if (named !== null) return named;
  if (ref.ok && ref.value.kind === 'numbered') {
    const position = await log.positionOfRef(ref.value.type, ref.value.number);
    const row = position === null ? null : await library.messageAt(position);
    if (row !== null) return { row, operation: ref.value.part === null ? null : { n: ref.value.part } };
    throw refusedFor('not-on-board', { asked: text });
  }
  const isName = ref.ok || /^[\w:.@-]+$/u.test(text);
  throw new Refused(isName ? 'not-found' : 'bad-reference', `"${text}" is neither a reference such as MSG-12 nor the UUID of a message on the log`);
};

const isPrinted = (text: string): boolean => {
  const ref = parseRef(text);
  return ref.ok && formatRef(ref.value) === text;
};

type Named = { readonly row: MessageRow; readonly operation: Wanted | null };

const byName = async (needs: ReferencesNeeds, text: string, sessionId: string | null): Promise<Named | null> => {
  const { library } = needs.store;
  const recordCalled = (uuid: string): Promise<MessageRow | null> => library.messageByUuid(uuid, sessionId ?? undefined);
  const row = await recordCalled(text);
  if (row !== null) return { row, operation: null };
  const { owner, kind, index } = takenOut(text);
  const holder = owner === '' ? null : await recordCalled(owner);
  if (holder === null) return null;
  if (kind === 'tool') return { row: holder, operation: { n: index + 1 } };
  // A result is named after its use but is in another record. A result without a use is named after its own record.
  const operations = await library.operationsAt(holder.sessionId, [holder.position]);
  const use = operations.find((one) => one.kind === 'use' && one.position === holder.position && one.index === index);
  for (const { position, kind: half, toolUseId } of operations) {
    if (half !== 'result' || (use !== undefined && toolUseId !== use.toolUseId)) continue;
    const place = await library.messageAt(position);
    if (place !== null && (await viewOf(needs, place, { uuid: text })) !== null) return { row: place, operation: { uuid: text } };
  }
  return { row: holder, operation: { uuid: text } };
};

/** Splits an operation's name into its record and the index of the use or result. */
const takenOut = (text: string): { readonly owner: string; readonly kind: string; readonly index: number } => {
  const [, owner = '', kind = '', index] = /^(.+)_(tool|result)_(\d{1,9})$/su.exec(text) ?? [];
  return { owner, kind, index: Number(index) };
};

/** The same for a session that isn't on the log yet, where there are no references. */
const viewInFile = async (needs: ReferencesNeeds, pending: PendingSession, text: string): Promise<MessageView> => {
  const reading = await needs.sessions.loadPending(pending);
  const conversation = pendingConversation(reading, async () => null);
  const factsOf = async (uuid: string): Promise<MessageFacts | undefined> => {
    const row = await conversation.rowOf(uuid);
    return row === null ? undefined : (await conversation.facts([row]))[0];
  };
  const own = await factsOf(text);
  const { owner, kind, index } = takenOut(text);
  const use = reading.session.graph.nodes.get(owner)?.entry.uses[index];
  const answer = kind === 'tool' || use === undefined ? undefined : reading.session.results.get(use.id)?.node.uuid;
  const facts = own ?? (await factsOf(answer ?? owner));
  const views = facts === undefined ? [] : messageViews(facts, own === undefined);
  const view =
    kind === 'tool' && own === undefined && facts !== undefined ? operationView(facts, index + 1) : views.find(({ uuid }) => uuid === text);
  if (view == null) throw new Refused('not-found', `session ${reading.session.id}, which is not on the log yet, has no message "${text}"`);
  return view;
};

/** A sidebar's message by MSG-n, EXCH-n or uuid; null if it isn't one. */
const saidAs = async (needs: ReferencesNeeds, text: string): Promise<MessageView | null> => {
  const { log } = needs.store;
  const ref = parseRef(text);
  const position =
    ref.ok && ref.value.kind === 'numbered' && ref.value.part === null ? await log.positionOfRef(ref.value.type, ref.value.number) : null;
  const entry = position === null ? (ref.ok ? null : await log.entryByUuid(text)) : await log.entryAt(position);
  return entry === null ? null : saidView(needs, entry);
};

const saidView = async (needs: ReferencesNeeds, entry: Entry): Promise<MessageView | null> => {
  if (!SAID.has(entry.type)) return null;
  const bytes = (await needs.store.log.payloadsOf([entry.position])).get(entry.position);
  return messageOfSidebar(entry, bytes === undefined ? null : Buffer.from(bytes).toString('utf8'));
};

const SAID: ReadonlySet<string> = new Set(['chat.message', 'memory.merged']);

type ReferenceView = Omit<Inside<OutputOf<'reference'>>, 'message' | 'thing'> & { readonly message: Foreign | null; readonly thing: Foreign | null };

/** What a reference stands for. Numbered things have an entry on the log; the board knows agents, scratchpads and files. */
export const showReference = async (needs: ReferencesNeeds, { ref: text }: Pick<InputOf<'reference'>, 'ref'>): Promise<ReferenceView> => {
  const ref = parseRef(text);
  if (!ref.ok) throw refusedFor('not-a-reference', { asked: text, why: ref.error.why, wanted: ref.error.wanted });
  const board = needs.engine.board();
  const thing = thingOf(board, ref.value, needs.now());
  const entry = await entryOf(needs, ref.value, thing);
  if (entry === null) throw refusedFor('not-on-board', { asked: text });
  const part = ref.value.kind === 'numbered' ? ref.value.part : null;
  const view = await messageAt(needs, entry, part);
  if (view === null && part !== null) throw new Refused('not-found', `${text}: ${text.replace(/#.*$/u, '')} has no such operation`);
  return {
    id: formatRef(ref.value),
    uuid: thing?.id ?? view?.uuid ?? entry.uuid,
    kind: 'type' in ref.value ? ref.value.type : ref.value.kind.toUpperCase(),
    createdIn: thing?.createdIn ?? namesOf(board).context(entry.contextId),
    branchedFrom: await branchedFrom(needs, ref.value),
    createdBy: entry.sender,
    createdAt: timeOf(entry.timestamp),
    position: entry.position,
    message: view === null ? null : foreign(messageToWire(view)),
    thing: thing === null ? null : foreign(toWire(thing.view)),
  };
};

/** The message that an entry is, or the n-th operation taken from it; null if there is none. */
export const messageAt = async (needs: ReferencesNeeds, entry: Entry, part: number | null = null): Promise<MessageView | null> => {
  const row = await needs.store.library.messageAt(entry.position);
  return row === null ? saidView(needs, entry) : viewOf(needs, row, part === null ? null : { n: part });
};

/** The entry that created what a reference or uuid stands for. */
export const entryNamed = async (needs: ReferencesNeeds, text: string): Promise<Entry> => {
  const ref = parseRef(text);
  if (!ref.ok) {
    const row = await needs.store.library.messageByUuid(text);
    const entry = row === null ? await needs.store.log.entryByUuid(text) : await needs.store.log.entryAt(row.position);
    if (entry === null) throw refusedFor('not-a-reference', { asked: text, why: ref.error.why, wanted: ref.error.wanted });
    return entry;
  }
  const entry = await entryOf(needs, ref.value, thingOf(needs.engine.board(), ref.value, needs.now()));
  if (entry === null) throw refusedFor('not-on-board', { asked: text });
  return entry;
};

/** REF-12: the message that a sidebar branched off from; null for anything else and for a sidebar that began empty. */
const branchedFrom = async ({ engine, store: { log } }: ReferencesNeeds, ref: Ref): Promise<string | null> => {
  const origin = ref.kind === 'numbered' && ref.type === 'SB' ? sidebarOf(engine.board(), formatRef(ref))?.origin : undefined;
  if (origin === undefined || origin.kind === 'none' || origin.kind === 'fork') return null;
  const entry =
    origin.kind === 'session' && origin.leafUuid !== null
      ? await log.entryByUuid(origin.leafUuid)
      : origin.upTo === null
        ? null
        : await log.entryAt(origin.upTo);
  return entry?.refs.find((one) => one.startsWith('MSG-')) ?? null;
};

/** The entry that created what a reference stands for. */
const entryOf = async ({ store: { log } }: ReferencesNeeds, ref: Ref, thing: Thing | null): Promise<Entry | null> => {
  if (thing !== null && 'uuid' in thing) return log.entryByUuid(thing.uuid);
  const position = thing?.position ?? (ref.kind === 'numbered' ? await log.positionOfRef(ref.type, ref.number) : null);
  return position === null ? null : log.entryAt(position);
};
