import { printableLine } from '@yarnboard/transcript';
import { BadgeCheck, BellRing, Folder, ShieldQuestion } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useActor } from '../../live/hooks.tsx';
import { nameOf } from '../../shared/names.ts';
import { OperationInput } from '../../shared/operation-input.tsx';
import { fieldsOf, fileIn } from '../../shared/operation-parts.ts';
import { doingText } from '../../shared/titles.ts';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import './permission-requests.css';
import { SCOPE_WORDS } from './grant-words.ts';
import { AlikeRequests, alikeIn } from './alike-requests.tsx';
import { useAnswerKeys } from './answer-keys.ts';
import { questionsIn, toolWords } from './questions.ts';
import { RunAnswer, type AnswerKeys } from './run-answer.tsx';
import { SeatAnswer } from './seat-answer.tsx';
import { askerOf, isOpen, placeOf, titleOf, type Permission } from './permissions.ts';

/** PAGE-42, PAGE-310: permission requests of agents and runs, answered in place. If someone else answers one in the meantime, it says who did. */
export const PermissionRequests = ({ requests }: { readonly requests: readonly Permission[] }) => {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const fresh = requests.filter((one) => isOpen(one) && !seen.has(one.requestId));
  if (fresh.length > 0) setSeen(new Set([...seen, ...fresh.map(({ requestId }) => requestId)]));
  return (
    <>
      {alikeIn(requests).map((alike) => (
        <AlikeRequests key={`${alike.runId} ${alike.tool}`} alike={alike} />
      ))}
      <ul className="permission-list" aria-label="Permission requests">
        {requests
          .filter((one) => isOpen(one) || seen.has(one.requestId))
          .map((request) => (
            <li key={request.requestId}>{isOpen(request) ? <PermissionRequest request={request} /> : <AnsweredPermission request={request} />}</li>
          ))}
      </ul>
    </>
  );
};

/** PAGE-312: how a request was answered. */
export const AnsweredPermission = ({ request }: { readonly request: Permission }) => {
  const { tool, summary, decision, means, answeredBy, answeredAt, message, isChanged, scope } = request;
  return (
    <p className="permission-answered">
      <BadgeCheck aria-hidden />
      <span>
        <b>{printableLine(toolWords(tool))}</b> {printableLine(summary)}: {WORDS[decision ?? 'withdrawn']}
        {isChanged ? ' with changes' : ''}
        {scope === null ? '' : ` ${SCOPE_WORDS[scope]}`}
        {means === 'rule'
          ? ' by a rule'
          : answeredBy === null || means === 'gone'
            ? ''
            : ` by ${answeredBy === 'system' ? 'Yarnboard' : nameOf(answeredBy)}`}
        {message === null ? '' : ` – ${printableLine(message)}`} <Moment at={answeredAt} />
      </span>
    </p>
  );
};

const PermissionRequest = ({ request }: { readonly request: Permission }) => {
  const { tool, summary, askedAt, remindedAt, directory, input, sidebarId } = request;
  const actor = useActor();
  const fields = fieldsOf(input);
  const file = fileIn(fields);
  const [path] = useLocation();
  const place = placeOf(request);
  const keys = useRef<AnswerKeys>(null);
  const onKeyDown = useAnswerKeys(() => keys.current);
  const hasKeys = actor !== null;
  const asked = questionsIn(tool, fields) !== null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys for the buttons in it
    <article
      className="permission"
      data-request={request.requestId}
      aria-label={asked ? `${askerOf(request)} asks` : `Permission to use ${toolWords(tool)}`}
      {...(hasKeys ? { tabIndex: 0, onKeyDown, 'aria-keyshortcuts': 'a e d' } : {})}
    >
      <ShieldQuestion className="permission-icon" aria-hidden />
      <div className="permission-words">
        <p className="permission-title">
          {printableLine(titleOf(request))}{' '}
          {remindedAt === null ? null : (
            <Badge tone="bad" icon={BellRing}>
              Still waiting
            </Badge>
          )}
        </p>
        {asked ? null : <p className="permission-summary">{doingText(summary)}</p>}
        <p className="permission-about">
          {place === null || place === path ? null : <Link href={place}>{sidebarId ?? 'Open session'}</Link>}
          {file === null ? null : <span className="permission-path">{printableLine(file)}</span>}
          {directory === null ? null : (
            <span className="permission-path">
              <Folder aria-hidden /> {printableLine(directory)}
            </span>
          )}
          <Moment at={askedAt} />
        </p>
        <div className="permission-input">{asked ? null : <OperationInput name={tool} input={fields} patch={null} />}</div>
      </div>
      {actor === null ? null : request.runId === null ? (
        <SeatAnswer request={request} keys={keys} />
      ) : (
        <RunAnswer request={request} runId={request.runId} keys={keys} />
      )}
    </article>
  );
};

const WORDS = { allow: 'allowed', deny: 'denied', withdrawn: 'withdrawn' } as const;
