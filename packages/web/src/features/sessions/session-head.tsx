import type { InsideOutput } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { ChevronRight } from 'lucide-react';
import { Link } from 'wouter';
import { Badge, LiveDot } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ProvisionalMark } from '../../ui/marks.tsx';
import { countOf, counted, durationText, projectName, shortCount, usdText } from '../../ui/wording.ts';
import { modelName, tokensIn, tokensText } from './step-words.ts';

export type SessionDetail = InsideOutput<'session'>;

export const titleOf = (session: SessionDetail | undefined, sessionId: string): string => {
  const title = printableLine(session?.title ?? '');
  return title === '' ? `Session ${sessionId.slice(0, 8)}` : title;
};

export const Breadcrumbs = ({ session }: { readonly session: SessionDetail | undefined }) => (
  <nav aria-label="Breadcrumbs">
    <ol className="session-crumbs">
      <li>
        <Link href="/sessions">Sessions</Link>
      </li>
      {session === undefined ? null : (
        <li>
          <ChevronRight aria-hidden />
          <Link
            href={`/sessions?project=${encodeURIComponent(session.project ?? '')}`}
            title={session.project === null ? undefined : printableLine(session.project)}
          >
            {printableLine(projectName(session.project))}
          </Link>
        </li>
      )}
      {session?.continues == null ? null : (
        <li>
          <ChevronRight aria-hidden />
          <Link href={`/sessions/${encodeURIComponent(session.continues.sessionId)}`}>
            {session.continues.by === 'fork' ? 'forked from' : 'resumed from'} {session.continues.sessionId.slice(0, 8)}
          </Link>
        </li>
      )}
    </ol>
  </nav>
);

/** When, how much, by whom, and whether it goes on. */
export const SessionFacts = ({
  session,
  doing,
}: {
  readonly session: SessionDetail;
  /** Null when nobody writes to it now. */ readonly doing: Doing | null;
}) => {
  const { startedAt, endedAt, messages, sidechains, usage, responses, unpriced, costUsd, models } = session;
  const took = startedAt === null || endedAt === null || endedAt === startedAt ? null : Date.parse(endedAt) - Date.parse(startedAt);
  return (
    <div className="session-facts numbers">
      {doing === null ? null : <LiveDot label={doing.isWorking ? 'working' : 'live'} />}
      {session.state === 'pending' ? (
        <ProvisionalMark why="It is read from its file; what is said in it has no references until it is imported." />
      ) : null}
      <span>
        <Moment at={startedAt} />
        {took === null ? null : `, ${durationText(took)} long`}
      </span>
      <span>{counted(messages, 'message')}</span>
      {sidechains === 0 ? null : <span>{counted(sidechains, 'sub-agent')}</span>}
      {responses === 0 ? null : <span title={tokensText(usage)}>{shortCount(tokensIn(usage))} tokens</span>}
      {responses === 0 || responses === unpriced ? null : (
        <span title={unpriced === 0 ? undefined : `${countOf(unpriced)} responses have no price`}>
          {usdText(costUsd)}
          {unpriced === 0 ? '' : ' or more'}
        </span>
      )}
      {models.map((model) => (
        <Badge key={model}>{modelName(model)}</Badge>
      ))}
      {doing?.what == null ? null : <span className="session-doing one-line">{printableLine(doing.what)}</span>}
    </div>
  );
};

export type Doing = { readonly isWorking: boolean; readonly what: string | null };
