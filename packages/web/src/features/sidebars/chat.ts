import type { Sidebar } from '@yarnboard/domain';
import { useEffect, useRef } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useCommand } from '../../live/hooks.tsx';

export type ChatDraft = { readonly text: string; readonly inReplyTo: string | null };

export type Chat = {
  readonly draft: ChatDraft;
  readonly write: (draft: ChatDraft) => void;
  readonly say: () => Promise<void>;
  readonly refusal: string | null;
  readonly clear: () => void;
};

/** PAGE-86: the message being written. The draft survives navigation, and a refused message comes back. */
export const useChat = (sidebar: Sidebar): Chat => {
  const [draft, write] = useDraft<ChatDraft>(`chat/${sidebar.id}`, NOTHING);
  const { send, refusal, clear } = useCommand('chat_message');
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  const say = async (): Promise<void> => {
    const content = draft.text.trim();
    if (content === '') return;
    const { inReplyTo } = draft;
    write(NOTHING);
    const words = { content, ...(inReplyTo === null ? {} : { inReplyTo }) };
    const outcome = await send({ sidebarId: sidebar.id, ...words }, { proposal: { type: 'chat.say', sidebar: sidebar.id, ...words } });
    if (outcome.kind === 'done' || outcome.kind === 'done-before') return;
    // Goes before anything written in the meantime.
    const since = latest.current.text;
    write({ text: since.trim() === '' ? content : `${content}\n\n${since}`, inReplyTo });
  };
  return { draft, write, say, refusal, clear };
};

const NOTHING: ChatDraft = { text: '', inReplyTo: null };
