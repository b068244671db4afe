import type { InsideOutput } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Moment } from '../../ui/moment.tsx';
import { sessionTitle } from '../../shared/titles.ts';
import { ProvisionalMark } from '../../ui/marks.tsx';
import { TurnMark } from '../../ui/turn-mark.tsx';
import { counted, projectName, shortCount, spanText, usdText, type Turn } from '../../ui/wording.ts';
import { LabelMarks } from './session-labels.tsx';
import { SessionSidebarsButton } from './session-sidebars-button.tsx';
import { UnreadableMark } from './unreadable-mark.tsx';
import { InToolMark } from '../../shared/in-tool.tsx';
import { UnaskedMark } from '../../shared/unasked-mark.tsx';
import { ToolSign } from '../../shared/tool-sign.tsx';
import { modelName } from '../../shared/model-name.ts';
import { tokensIn, tokensText } from './step-words.ts';

export type SessionDetail = InsideOutput<'session'>;

/** The short ID stands in until the title is known. */
export const titleOf = (session: SessionDetail | undefined, sessionId: string): string =>
  session === undefined ? `Session ${sessionId.slice(0, 8)}` : sessionTitle(session.title);

/** The breadcrumbs of a session; deeper levels are passed in. */
export const SessionCrumbs = ({ session, children }: { readonly session: SessionDetail | undefined; readonly children?: ReactNode }) => (
  <Breadcrumbs>
    <Link href="/sessions">Sessions</Link>
    {session === undefined ? null : (
      <Link
        href={`/sessions?project=${encodeURIComponent(session.project ?? '')}`}
        title={session.project === null ? undefined : printableLine(session.project)}
      >
        {projectName(session.project)}
      </Link>
    )}
    {session?.continues == null ? null : (
      <Link href={`/sessions/${encodeURIComponent(session.continues.sessionId)}`}>
        {session.continues.by === 'fork' ? 'forked from' : 'resumed from'} {session.continues.sessionId.slice(0, 8)}
      </Link>
    )}
    {children}
  </Breadcrumbs>
);

/** When, how much, which models, and whether it is running. */
export const SessionFacts = ({
  session,
  doing,
  agents,
}: {
  readonly session: SessionDetail;
  /** Opens the list of its sub-agents. */ readonly agents: ReactNode;
  /** Null unless somebody is writing to it now. */ readonly doing: Doing | null;
}) => {
  const { startedAt, endedAt, messages, sidechains, usage, responses, unpriced, costUsd, models } = session;
  const span = startedAt === null || endedAt === null || endedAt === startedAt ? null : spanText(Date.parse(startedAt), Date.parse(endedAt));
  return (
    <div className="session-facts numbers">
      {doing === null || doing.turn === 'quiet' ? null : <TurnMark turn={doing.turn} />}
      {session.state === 'pending' ? <ProvisionalMark why="Not yet imported. Messages get their references once it is." /> : null}
      <span>
        <Moment at={startedAt} />
        {span === null ? null : `, ${span}`}
      </span>
      <span>{counted(messages, 'message')}</span>
      <UnreadableMark lines={session.quarantined} />
      <SessionSidebarsButton />
      {sidechains === 0 ? null : agents}
      {responses === 0 ? null : <span title={tokensText(usage)}>{shortCount(tokensIn(usage))} tokens</span>}
      {responses === 0 || responses === unpriced ? null : (
        <span title={unpriced === 0 ? undefined : `${counted(unpriced, 'response')} without a known price`}>
          {usdText(costUsd)}
          {unpriced === 0 ? '' : '+'}
        </span>
      )}
      <ToolSign tool={session.tool} />
      <LabelMarks labels={session.labels} />
      <UnaskedMark sessionId={session.sessionId} />
      <InToolMark tool={session.tool} inTool={session.inTool} />
      {models.map((model) => (
        <Badge key={model}>{modelName(model)}</Badge>
      ))}
      {doing?.what == null ? null : <span className="session-doing one-line">{printableLine(doing.what)}</span>}
    </div>
  );
};

export type Doing = { readonly turn: Turn; readonly what: string | null };
