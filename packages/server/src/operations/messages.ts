import { foreign, messageToWire, type Foreign, type InputOf } from '@yarnboard/protocol';
import { TURNS } from '../sessions/turns.ts';
import { isAt, type Conversation } from '../sessions/conversation.ts';
import type { ConversationRow } from '../sessions/conversation-row.ts';
import { isShownAside, messageViews, shownParent, type MessageView } from '../sessions/message-view.ts';
import { timeOf } from '../sessions/session-view.ts';
import { mergedBehind, mergedField, type MergedNeeds, type MergedView } from './merged-exchanges.ts';
import type { Answer } from './request/answer.ts';
import { readRecordCursor, writeCursor, type RecordCursor } from './request/cursor.ts';
import { openConversation, type SessionReading } from './request/find-session.ts';
import { refusedFor } from './request/refusal.ts';

/** Messages already have their public names, including aliases. */
type MessagePage = { readonly messages: readonly Foreign[]; readonly nextCursor: string | null };

export const listMessages = async (needs: SessionReading & MergedNeeds, input: InputOf<'messages'>): Promise<MessagePage> => {
  const conversation = await openConversation(needs, input.id);
  const from = readRecordCursor(input.cursor);
  const rows = await rowsOf(conversation, input.thread, from, input.limit + 1);
  const facts = await conversation.facts(rows);
  const merged = await mergedBehind(
    needs,
    conversation.sessionId,
    rows.map(({ uuid }) => uuid),
  );
  const takenBack = await conversation.takenBack();
  const messages: MessageView[] = [];
  // A page may end anywhere, even between a record and the operations taken from it.
  for (const one of facts) {
    await TURNS.go();
    const views = withTakenBack(withMerged(messageViews(one, input.operations), merged), takenBack.has(one.row.uuid));
    const told = from !== null && isAt(one.row, from) ? from.part : 0;
    const room = input.limit - messages.length;
    messages.push(...views.slice(told, told + room));
    const part = told + room;
    if (part >= views.length) continue;
    return { messages: messages.map((view) => foreign(messageToWire(view))), nextCursor: writeCursor({ ...conversation.placeOf(one.row), part }) };
  }
  return { messages: messages.map((view) => foreign(messageToWire(view))), nextCursor: null };
};

// Merges belong to the record itself, which comes before the operations taken from it.
const withMerged = (views: readonly MessageView[], merged: ReadonlyMap<string, readonly MergedView[]>): readonly MessageView[] => {
  const [main, ...taken] = views;
  if (main === undefined || !merged.has(main.uuid)) return views;
  return [{ ...main, ...mergedField(merged.get(main.uuid)) }, ...taken];
};

// If a record was taken back, so were all its operations.
const withTakenBack = (views: readonly MessageView[], isTakenBack: boolean): readonly MessageView[] =>
  isTakenBack ? views.map((view) => ({ ...view, isTakenBack: true })) : views;

export const listTree = async (needs: SessionReading & MergedNeeds, input: InputOf<'tree'>): Answer<'tree'> => {
  const conversation = await openConversation(needs, input.id);
  const rows = await rowsOf(conversation, 'all', readRecordCursor(input.cursor), input.limit + 1);
  const next = rows[input.limit];
  const page = rows.slice(0, input.limit);
  const merged = await mergedBehind(
    needs,
    conversation.sessionId,
    page.map(({ uuid }) => uuid),
  );
  return {
    items: page.map((row) => ({
      uuid: row.uuid,
      parentUuid: shownParent(row),
      ref: row.ref,
      type: row.type,
      role: row.role,
      agentId: row.agentId,
      timestamp: timeOf(row.at),
      isSidechain: isShownAside(row),
      isError: row.isError,
      ...mergedField(merged.get(row.uuid)),
    })),
    nextCursor: next === undefined ? null : writeCursor({ ...conversation.placeOf(next), part: 0 }),
  };
};

const rowsOf = async (conversation: Conversation, thread: string, from: RecordCursor | null, limit: number): Promise<readonly ConversationRow[]> => {
  const rows = await conversation.rows(thread, from, limit);
  if (rows !== null) return rows;
  if (thread === 'main' || thread === 'all') throw refusedFor('cursor-gone', {});
  const { sessionId } = conversation;
  throw refusedFor('unknown-sub-agent', { session: sessionId, asked: thread });
};
