import { printable } from '@yarnboard/transcript';
import type { InsideOutput } from '@yarnboard/protocol';
import { Check, MailQuestion, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useActor, useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { useFreshBoard } from '../../shared/freshness.ts';
import { nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import './agents.css';
import { pathOf } from './agent-work.tsx';

export type RequestView = InsideOutput<'recruitments'>['items'][number];

/** PAGE-304: requests to take part that still wait for an answer. */
export const useRequests = (sidebarId?: string): readonly RequestView[] => {
  const { data } = useAsk('recruitments', { open: 'true', limit: 200, ...(sidebarId === undefined ? {} : { sidebarId }) });
  useFreshBoard('recruitments');
  return data?.items ?? NONE;
};

/** PAGE-304: requests to the current user, answered where they appear. */
export const RequestsToMe = ({ requests }: { readonly requests: readonly RequestView[] }) => {
  const actor = useActor();
  const mine = requests.filter(({ agentId, state }) => agentId === actor?.id && state === 'asked');
  return mine.length === 0 ? null : (
    <ul className="request-list" aria-label="Requests to join">
      {mine.map((request) => (
        <li key={request.requestId}>
          <RequestToMe request={request} />
        </li>
      ))}
    </ul>
  );
};

const RequestToMe = ({ request: { requestId, sidebarId, requestedBy, requestedAt, note } }: { readonly request: RequestView }) => {
  const { send, isSending, refusal } = useCommand('recruitment_answer');
  const askAgain = useAskAgain();
  const [words, setWords] = useState<string | null>(null);
  const answer = async (isAccepted: boolean): Promise<void> => {
    const said = words === null || words.trim() === '' ? {} : { note: words.trim() };
    await send({ requestId, answer: isAccepted ? 'accept' : 'decline', ...(isAccepted ? {} : { reasonCode: 'other', ...said }) });
    askAgain('recruitments', 'inbox');
  };
  return (
    <Notice icon={MailQuestion}>
      <p>
        <strong>{nameOf(requestedBy)}</strong> asks you to join <Link href={pathOf(sidebarId)}>{sidebarId}</Link>
        {note === null ? null : <>: {printable(note)}</>}{' '}
        <span className="soft">
          (<Moment at={requestedAt} />)
        </span>
      </p>
      {words === null ? null : <TextField label="Why not?" hint="Optional" value={words} onChange={({ target }) => setWords(target.value)} />}
      <p className="request-buttons">
        <Button size="small" icon={X} isBusy={isSending} onClick={() => (words === null ? setWords('') : void answer(false))}>
          Decline
        </Button>
        <Button size="small" variant="primary" icon={Check} isBusy={isSending} onClick={() => void answer(true)}>
          Join {sidebarId}
        </Button>
      </p>
      <Refusal text={refusal} />
    </Notice>
  );
};

const NONE: readonly RequestView[] = [];
