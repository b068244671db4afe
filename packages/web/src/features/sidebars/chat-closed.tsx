import { isEnded, rightTo, type Sidebar } from '@yarnboard/domain';
import { DoorOpen, Info, UserPlus } from 'lucide-react';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import './chat-box.css';
import type { Chat } from './chat.ts';
import { READING_ONLY } from '../../live/refusal.ts';
import { nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';

/** Why you can't write here, and what you can do about it. */
export const ChatClosed = ({ sidebar, chat }: { readonly sidebar: Sidebar; readonly chat: Chat }) => (
  <>
    <Unsent chat={chat} />
    <Why sidebar={sidebar} />
  </>
);

/** Whoever wrote something too late still keeps it. */
const Unsent = ({ chat: { draft, refusal } }: { readonly chat: Chat }) =>
  draft.text.trim() === '' ? null : (
    <div className="chat-box">
      <Refusal text={refusal} />
      <p className="chat-unsent">
        <span className="soft">Not sent:</span> {draft.text}
        <CopyButton text={draft.text} label="Copy unsent message" />
      </p>
    </div>
  );

const Why = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const actor = useActor();
  const join = useCommand('agent_recruited');
  if (actor === null) return <Closed words={READING_ONLY} />;
  if (sidebar.status === 'ARCHIVED') return <Closed words={`${sidebar.ref} is archived. Fork it to continue.`} />;
  if (isEnded(sidebar.status)) {
    return (
      <Closed
        words={`${sidebar.ref} is ${sidebar.status.toLowerCase()}. ${rightTo('reopen', sidebar, actor) === 'yes' ? 'Reopen it to continue.' : 'To continue, archive it and fork it.'}`}
      />
    );
  }
  const isAsked = sidebar.proposals.some(({ by, proposal: { action } }) => by === actor.id && action === 'join');
  if (isAsked) return <Closed words={`You asked to join. ${nameOf(sidebar.coordinator)} decides.`} />;
  return (
    <div className="chat-closed">
      <DoorOpen aria-hidden />
      <span>You’re not in {sidebar.ref}.</span>
      <Button
        size="small"
        variant="primary"
        icon={UserPlus}
        isBusy={join.isSending}
        onClick={() => void join.send({ sidebarId: sidebar.id }, { proposal: { type: 'agent.recruit', sidebar: sidebar.id, agent: actor.id } })}
      >
        {rightTo('join', sidebar, actor) === 'ask' ? 'Ask to join' : 'Join'}
      </Button>
      <Refusal text={join.refusal} />
    </div>
  );
};

const Closed = ({ words }: { readonly words: string }) => (
  <p className="chat-closed">
    <Info aria-hidden />
    <span>{words}</span>
  </p>
);
