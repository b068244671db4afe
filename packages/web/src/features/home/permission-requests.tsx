import { Check, ShieldQuestion, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useActor, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import type { Activity } from '../../shared/activity.ts';
import './permission-requests.css';
import { doingText } from '../../shared/titles.ts';

type Request = Activity['permissions'][number];

/** PAGE-42: what runs ask leave for, answered where it is seen. */
export const PermissionRequests = ({ requests }: { readonly requests: readonly Request[] }) => (
  <ul className="permission-list" aria-label="Permission requests">
    {requests.map((request) => (
      <li key={request.requestId}>
        <PermissionRequest request={request} />
      </li>
    ))}
  </ul>
);

const PermissionRequest = ({ request }: { readonly request: Request }) => {
  const { runId, sessionId, requestId, tool, title, summary, askedAt } = request;
  const { send, isSending, refusal } = useCommand('answer_permission');
  const [chosen, setChosen] = useState<'allow' | 'deny' | null>(null);
  const actor = useActor();
  const askAgain = useAskAgain();
  const answer = async (decision: 'allow' | 'deny'): Promise<void> => {
    setChosen(decision);
    await send({ id: runId, requestId, decision });
    askAgain('activity');
  };
  return (
    <article className="permission" aria-label={`Permission to use ${tool}`}>
      <ShieldQuestion className="permission-icon" aria-hidden />
      <div className="permission-words">
        <p className="permission-title">{title ?? `Claude wants to use ${tool}`}</p>
        <p className="permission-summary">{doingText(summary)}</p>
        <p className="permission-about">
          <Link href={`/sessions/${encodeURIComponent(sessionId)}`}>Open session</Link>
          <Moment at={askedAt} />
        </p>
        {refusal === null ? null : (
          <p className="permission-refusal" role="alert">
            {refusal}
          </p>
        )}
      </div>
      {actor === null ? null : (
        <div className="permission-buttons">
          <Button icon={X} isBusy={isSending && chosen === 'deny'} onClick={() => void answer('deny')}>
            Deny
          </Button>
          <Button icon={Check} variant="primary" isBusy={isSending && chosen === 'allow'} onClick={() => void answer('allow')}>
            Allow
          </Button>
        </div>
      )}
    </article>
  );
};
