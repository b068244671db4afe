import { printable } from '@yarnboard/transcript';
import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { TurnMark } from '../../ui/turn-mark.tsx';
import { counted, projectName, usdText, type Turn } from '../../ui/wording.ts';
import type { ListedSession } from '../../shared/projects.ts';
import './recent-sessions.css';
import { Answered, Section } from '../../shared/section.tsx';
import { UnaskedMark } from '../../shared/unasked-mark.tsx';
import { ToolSign } from '../../shared/tool-sign.tsx';
import { sessionTitle } from '../../shared/titles.ts';

/** PAGE-48: the latest sessions of all projects. */
export const RecentSessions = ({ turns }: { readonly turns: ReadonlyMap<string, Turn> }) => {
  const sessions = useAsk('sessions', { limit: LATEST }, { everyMs: 15_000 });
  return (
    <Section title="Recent sessions" actions={<Link href="/sessions">All sessions</Link>}>
      <Answered query={sessions} what="sessions" lines={6}>
        {({ items }) => (
          <ul className="recent card">
            {items.slice(0, LATEST).map((session) => (
              <li key={session.sessionId}>
                <SessionLine session={session} turn={turns.get(session.sessionId) ?? 'quiet'} />
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Section>
  );
};

const SessionLine = ({ session, turn }: { readonly session: ListedSession; readonly turn: Turn }) => (
  <Link href={`/sessions/${encodeURIComponent(session.sessionId)}`} className="recent-session">
    <span className="recent-title one-line">{sessionTitle(session.title)}</span>
    <span className="byline numbers">
      {turn === 'quiet' ? null : <TurnMark turn={turn} />}
      <ToolSign tool={session.tool} />
      <span className="recent-project" title={session.project === null ? undefined : printable(session.project)}>
        {projectName(session.project)}
      </span>
      <UnaskedMark sessionId={session.sessionId} />
      {session.state === 'pending' ? <Badge tone="info">not yet imported</Badge> : <span>{counted(session.messages, 'message')}</span>}
      {session.costUsd === 0 ? null : <span>{usdText(session.costUsd)}</span>}
      <Moment at={session.endedAt} />
    </span>
  </Link>
);

const LATEST = 5;
