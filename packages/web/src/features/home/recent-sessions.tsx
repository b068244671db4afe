import { printable } from '@yarnboard/transcript';
import { Folder } from 'lucide-react';
import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { TurnMark } from '../../ui/turn-mark.tsx';
import { counted, countOf, projectName, usdText, type Turn } from '../../ui/wording.ts';
import { byProject, type ListedSession } from '../../shared/projects.ts';
import './recent-sessions.css';
import { Answered, Section } from '../../shared/section.tsx';
import { UnaskedMark } from '../../shared/unasked-mark.tsx';
import { ToolSign } from '../../shared/tool-sign.tsx';
import { sessionTitle } from '../../shared/titles.ts';

/** PAGE-48: the latest sessions, those of a project together. */
export const RecentSessions = ({ turns }: { readonly turns: ReadonlyMap<string, Turn> }) => {
  const sessions = useAsk('sessions', { limit: LATEST }, { everyMs: 15_000 });
  return (
    <Section title="Recent sessions" actions={<Link href="/sessions">All sessions</Link>}>
      <Answered query={sessions} what="sessions" lines={6}>
        {({ items }) => (
          <div className="recent">
            {byProject(items).map(({ project, sessions: listed }) => (
              <ProjectCard key={project ?? ''} project={project} sessions={listed} turns={turns} />
            ))}
          </div>
        )}
      </Answered>
    </Section>
  );
};

type ProjectCardProps = { readonly project: string | null; readonly sessions: readonly ListedSession[]; readonly turns: ReadonlyMap<string, Turn> };

const ProjectCard = ({ project, sessions, turns }: ProjectCardProps) => (
  <section className="recent-project card" aria-label={printable(project ?? 'No project')}>
    <h3 className="recent-name" title={project === null ? undefined : printable(project)}>
      <Folder aria-hidden />
      <span className="one-line">{projectName(project)}</span>
    </h3>
    <ul>
      {sessions.slice(0, PER_PROJECT).map((session) => (
        <li key={session.sessionId}>
          <SessionLine session={session} turn={turns.get(session.sessionId) ?? 'quiet'} />
        </li>
      ))}
    </ul>
    {sessions.length > PER_PROJECT ? (
      <Link href={`/sessions?project=${encodeURIComponent(project ?? '')}`} className="recent-more">
        {`Show ${countOf(sessions.length - PER_PROJECT)} more`}
      </Link>
    ) : null}
  </section>
);

const SessionLine = ({ session, turn }: { readonly session: ListedSession; readonly turn: Turn }) => (
  <Link href={`/sessions/${encodeURIComponent(session.sessionId)}`} className="recent-session">
    <span className="recent-title one-line">{sessionTitle(session.title)}</span>
    <span className="byline numbers">
      {turn === 'quiet' ? null : <TurnMark turn={turn} />}
      <ToolSign tool={session.tool} />
      <UnaskedMark sessionId={session.sessionId} />
      {session.state === 'pending' ? <Badge tone="info">not yet imported</Badge> : <span>{counted(session.messages, 'message')}</span>}
      {session.costUsd === 0 ? null : <span>{usdText(session.costUsd)}</span>}
      <Moment at={session.endedAt} />
    </span>
  </Link>
);

const LATEST = 60;
const PER_PROJECT = 5;
