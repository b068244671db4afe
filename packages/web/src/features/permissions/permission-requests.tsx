import { printable, printableLine } from '@yarnboard/transcript';
import { BadgeCheck, BellRing, Check, ChevronDown, Folder, ShieldQuestion, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useActor, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { nameOf } from '../../shared/names.ts';
import { OperationInput } from '../../shared/operation-input.tsx';
import { fieldsOf, fileIn } from '../../shared/operation-parts.ts';
import { doingText } from '../../shared/titles.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Moment } from '../../ui/moment.tsx';
import './permission-requests.css';
import { AlikeRequests, alikeIn } from './alike-requests.tsx';
import { useAnswerKeys } from './answer-keys.ts';
import { questionsIn, toolWords } from './questions.ts';
import { RunAnswer, type AnswerKeys } from './run-answer.tsx';
import { askerOf, isOpen, placeOf, titleOf, type Permission } from './permissions.ts';

/** PAGE-42, PAGE-310: what agents and runs ask leave for, answered where it is seen. Those that somebody else answers meanwhile say who did. */
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

/** PAGE-312: what became of one. */
export const AnsweredPermission = ({ request }: { readonly request: Permission }) => {
  const { tool, summary, decision, means, answeredBy, answeredAt, message } = request;
  return (
    <p className="permission-answered">
      <BadgeCheck aria-hidden />
      <span>
        <b>{printableLine(toolWords(tool))}</b> {printableLine(summary)}: {WORDS[decision ?? 'withdrawn']}
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
  const place = placeOf(request);
  const keys = useRef<AnswerKeys>(null);
  const onKeyDown = useAnswerKeys(() => keys.current);
  const hasKeys = actor !== null && request.runId !== null;
  const asked = questionsIn(tool, fields) !== null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys for the buttons in it
    <article
      className="permission"
      data-request={request.requestId}
      aria-label={asked ? 'Claude asks' : `Permission to use ${toolWords(tool)}`}
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
          {place === null ? null : <Link href={place}>{sidebarId ?? 'Open session'}</Link>}
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
        <SeatAnswer request={request} />
      ) : (
        <RunAnswer request={request} runId={request.runId} keys={keys} />
      )}
    </article>
  );
};

type Decision = 'allow' | 'deny';

/** PAGE-311: once, for this seat or for this agent; exactly this, or what is like it. */
const SeatAnswer = ({ request }: { readonly request: Permission }) => {
  const { send, isSending, refusal } = useCommand('permission_answer');
  const askAgain = useAskAgain();
  const { requestId, alike, sidebarId } = request;
  const answer = async (decision: Decision, more: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    await send({ requestId, decision, ...more });
    askAgain('permissions');
  };
  const always = (scope: 'seat' | 'agent', where: string): readonly MenuItem[] => [
    { label: `Exactly this, ${where}`, icon: Check, onSelect: () => void answer('allow', { scope, breadth: 'exact' }) },
    ...(alike === null
      ? []
      : [
          {
            label: `${alike === '*' ? `Any use of ${request.tool}` : alike}, ${where}`,
            icon: Check,
            onSelect: () => void answer('allow', { scope, breadth: 'alike' }),
          },
        ]),
  ];
  return (
    <Answer
      isSending={isSending}
      refusal={refusal}
      onAnswer={(decision, message) => void answer(decision, message === null ? {} : { message })}
      always={[...always('seat', `in ${sidebarId ?? 'this sidebar'}`), { kind: 'line' }, ...always('agent', `for ${askerOf(request)} everywhere`)]}
    />
  );
};

type AnswerProps = {
  readonly isSending: boolean;
  readonly refusal: string | null;
  readonly onAnswer: (decision: Decision, message: string | null) => void;
  readonly always: readonly MenuItem[];
};

const Answer = ({ isSending, refusal, onAnswer, always }: AnswerProps) => {
  const [chosen, setChosen] = useState<Decision | null>(null);
  const [words, setWords] = useState<string | null>(null);
  const answer = (decision: Decision): void => {
    setChosen(decision);
    onAnswer(decision, decision === 'deny' && words !== null && words.trim() !== '' ? words.trim() : null);
  };
  return (
    <div className="permission-answer">
      {words === null ? null : (
        <form
          className="permission-deny"
          onSubmit={(event) => {
            event.preventDefault();
            answer('deny');
          }}
        >
          <TextField
            label="What should it do instead?"
            hint="The agent reads this."
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </form>
      )}
      <div className="permission-buttons">
        {words === null ? (
          <Button variant="quiet" onClick={() => setWords('')}>
            Deny with a reason…
          </Button>
        ) : null}
        <Button icon={X} isBusy={isSending && chosen === 'deny'} onClick={() => answer('deny')}>
          Deny
        </Button>
        {always.length === 0 ? null : (
          <Menu items={always}>
            <Button icon={ChevronDown}>Always allow</Button>
          </Menu>
        )}
        <Button icon={Check} variant="primary" isBusy={isSending && chosen === 'allow'} onClick={() => answer('allow')}>
          {always.length === 0 ? 'Allow' : 'Allow once'}
        </Button>
      </div>
      {refusal === null ? null : (
        <p className="permission-refusal" role="alert">
          {printable(refusal)}
        </p>
      )}
    </div>
  );
};

const WORDS = { allow: 'allowed', deny: 'denied', withdrawn: 'withdrawn' } as const;
