import { OPERATOR, type Sidebar } from '@yarnboard/domain';
import { AtSign, CornerDownRight, SendHorizontal, X } from 'lucide-react';
import { useEffect, useId, useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref, type SyntheticEvent } from 'react';
import { useActor } from '../../live/hooks.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import './chat-box.css';
import type { Chat } from './chat.ts';
import { MentionList } from './mention-list.tsx';
import { mentionAt, namesFitting, withMention, type MentionAt } from './mention.ts';
import { nameOf } from '../../shared/names.ts';
import { usePeople } from '../../shared/people.tsx';
import { referenceBegun, withReference, type ReferenceBegun } from '../../shared/reference-begun.ts';
import { isTypedOut, ReferenceList, useReferenceOffer } from '../../shared/reference-offer.tsx';
import { Refusal } from '../../shared/refusal.tsx';

export type ChatBoxHandle = { readonly cite: (ref: string) => void; readonly replyTo: (ref: string) => void };

export type ChatBoxProps = { readonly sidebar: Sidebar; readonly chat: Chat; readonly handle: Ref<ChatBoxHandle>; readonly onSaid: () => void };

/** Where you write messages. */
export const ChatBox = ({ sidebar, chat, handle, onSaid }: ChatBoxProps) => {
  const id = useId();
  const listId = `${id}-offered`;
  const actor = useActor();
  const area = useRef<HTMLTextAreaElement>(null);
  const { draft, write, refusal, clear } = chat;
  const [mention, setMention] = useState<MentionAt | null>(null);
  const [chosen, setChosen] = useState(0);
  const [begun, setBegun] = useState<ReferenceBegun | null>(null);
  const names = useNames(sidebar, actor?.id ?? null);
  const offered = mention === null ? [] : namesFitting(names, mention.typed);
  const references = useReferenceOffer(begun, sidebar.ref === '' ? null : sidebar.ref);
  const count = mention === null ? references.length : offered.length;
  const isOffering = count > 0;
  const at = Math.min(chosen, count - 1);

  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight + 2, MOST_HEIGHT)}px`;
  }, [draft.text]);

  const insert = (words: string): void => {
    const element = area.current;
    const at = element?.selectionStart ?? draft.text.length;
    const gap = at === 0 || /\s$/u.test(draft.text.slice(0, at)) ? '' : ' ';
    put(`${draft.text.slice(0, at)}${gap}${words}${draft.text.slice(at)}`, at + gap.length + words.length);
  };
  const put = (text: string, cursor: number): void => {
    write({ ...draft, text });
    // Waits for the new text to render: earlier, the cursor would land in the old text.
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(cursor, cursor);
      look();
    });
  };
  const look = (): void => {
    const element = area.current;
    const mentioned = element === null ? null : mentionAt(element.value, element.selectionStart);
    setMention(mentioned);
    setBegun(element === null || mentioned !== null ? null : referenceBegun(element.value, element.selectionStart));
    setChosen(0);
  };
  const take = (name: string | undefined): void => {
    if (mention === null || name === undefined) return;
    const next = withMention(draft.text, mention, name);
    setMention(null);
    put(next.text, next.cursor);
  };
  const takeReference = (ref: string | undefined): void => {
    if (begun === null || ref === undefined) return;
    const next = withReference(draft.text, begun, ref);
    setBegun(null);
    put(next.text, next.cursor);
  };
  const close = (): void => {
    setMention(null);
    setBegun(null);
  };
  useImperativeHandle(handle, () => ({
    cite: (ref) => insert(`${ref} `),
    replyTo: (ref) => {
      write({ ...draft, inReplyTo: ref });
      area.current?.focus();
    },
  }));

  const say = (): void => {
    onSaid();
    close();
    // The send button is disabled while the box is empty, so move the focus back.
    area.current?.focus();
    void chat.say();
  };

  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const isWhole = mention === null && event.key === 'Enter' && isTypedOut(begun, at);
    if (isOffering && offerKey(event.key) && !isWhole) {
      event.preventDefault();
      if (event.key === 'Escape') close();
      else if (event.key === 'ArrowDown') setChosen((at + 1) % count);
      else if (event.key === 'ArrowUp') setChosen((at + count - 1) % count);
      else if (mention === null) takeReference(references[at]?.ref);
      else take(offered[at]);
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      say();
    }
  };

  return (
    <form
      className="chat-box"
      aria-label={`Message ${sidebar.ref}`}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        say();
      }}
    >
      <Refusal text={refusal} />
      {draft.inReplyTo === null ? null : (
        <p className="chat-box-reply">
          <CornerDownRight aria-hidden />
          In reply to {draft.inReplyTo}
          <IconButton icon={X} label="Cancel reply" size="small" onClick={() => write({ ...draft, inReplyTo: null })} />
        </p>
      )}
      <div className="chat-box-row">
        {!isOffering ? null : mention === null ? (
          <ReferenceList id={listId} items={references} chosen={at} onTake={takeReference} />
        ) : (
          <MentionList id={listId} names={offered} chosen={at} onTake={take} />
        )}
        <textarea
          ref={area}
          className="field-input chat-box-text"
          rows={1}
          aria-label={`Message ${sidebar.ref}`}
          aria-haspopup="listbox"
          aria-autocomplete="list"
          aria-controls={isOffering ? listId : undefined}
          aria-activedescendant={isOffering ? `${listId}-${at}` : undefined}
          aria-describedby={`${id}-hint`}
          placeholder={`Message ${sidebar.ref}`}
          value={draft.text}
          onChange={(event) => {
            write({ ...draft, text: event.target.value });
            if (refusal !== null) clear();
            look();
          }}
          onClick={look}
          onKeyUp={(event) => {
            if (event.key === 'ArrowLeft' || event.key === 'ArrowRight' || event.key === 'Home' || event.key === 'End') look();
          }}
          onBlur={close}
          onKeyDown={press}
        />
        <IconButton icon={AtSign} label="Mention someone" onClick={() => insert('@')} />
        <Button variant="primary" type="submit" icon={SendHorizontal} disabled={draft.text.trim() === ''}>
          Send
        </Button>
      </div>
      <p id={`${id}-hint`} className="chat-box-hint">
        <kbd>Enter</kbd> to send, <kbd>Shift Enter</kbd> for a new line. <code>@name</code> mentions someone, <code>MSG-</code>, <code>GOLD-</code> or{' '}
        <code>SB-</code> cites something.
      </p>
    </form>
  );
};

/** Participants first, then everybody else; you can't mention yourself. */
const useNames = ({ participants, coordinator, curator }: Sidebar, me: string | null): readonly string[] => {
  const people = usePeople();
  return useMemo(() => {
    const near = [...participants, coordinator, curator];
    return [...new Set([...near, ...people.map(({ id }) => id), OPERATOR.id])].filter((one) => one !== me).map(nameOf);
  }, [people, participants, coordinator, curator, me]);
};

const offerKey = (key: string): boolean => key === 'ArrowDown' || key === 'ArrowUp' || key === 'Enter' || key === 'Tab' || key === 'Escape';

const MOST_HEIGHT = 240;
