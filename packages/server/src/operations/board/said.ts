import type { Entry } from '@yarnboard/domain';
import { foreign } from '@yarnboard/protocol';
import type { MessageView } from '../../sessions/message-view.ts';
import { timeOf } from '../../sessions/session-view.ts';

/** Presents a sidebar's message, or a merge into a conversation, like any other message. */
export const messageOfSidebar = (entry: Entry, payload: string | null): MessageView => {
  const said = payload === null ? null : (JSON.parse(payload) as { readonly content?: string; readonly text?: string; readonly role?: string }); // our own entry
  return {
    uuid: entry.uuid,
    ref: entry.refs.find((ref) => ref.startsWith('MSG-')) ?? null,
    exchange: entry.refs.find((ref) => ref.startsWith('EXCH-')) ?? null,
    sessionId: entry.sessionId,
    agentId: null,
    parentUuid: null,
    rawParentUuid: null,
    type: entry.type,
    role: said?.role ?? 'system',
    actor: entry.senderType,
    content: said === null ? '[forgotten]' : (said.content ?? said.text ?? ''),
    messageData: foreign(said),
    timestamp: timeOf(entry.timestamp),
    createdAt: timeOf(entry.timestamp),
    isSidechain: false,
    isError: false,
    isCopy: false,
    isForgotten: said === null,
    copyOf: null,
    model: null,
    usage: null,
    costUsd: null,
    isCostCounted: false,
    position: entry.position,
  };
};
