import { printable } from '@yarnboard/transcript';
import { Folder } from 'lucide-react';
import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { Badge, LiveDot } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { counted, projectName, usdText } from '../../ui/wording.ts';
import { byProject, type ListedSession } from './projects.ts';
import './recent-sessions.css';
import { Answered, Section } from './section.tsx';
import { sessionTitle } from './titles.ts';

/** PAGE-48: the latest sessions, those of a project together. */
export const RecentSessions = ({ liveIds }: { readonly liveIds: ReadonlySet<string> }) => {
  const sessions = useAsk('sessions', { limit: LATEST }, { everyMs: 15_000 });
  return (
    <Section title="Recent sessions" actions={<Link href="/sessions">All sessions</Link>}>
      <Answered query={sessions} what="The sessions" lines={6}>
        {({ items }) => (
          <div className="recent">
            {byProject(items).map(({ project, sessions: listed }) => (
              <ProjectCard key={project ?? ''} project={project} sessions={listed} liveIds={liveIds} />
            ))}
          </div>
        )}
      </Answered>
    </Section>
  );
};

type ProjectCardProps = { readonly project: string | null; readonly sessions: readonly ListedSession[]; readonly liveIds: ReadonlySet<string> };

const ProjectCard = ({ project, sessions, liveIds }: ProjectCardProps) => (
  <section className="recent-project card" aria-label={printable(project ?? 'No project')}>
    <h3 className="recent-name" title={project === null ? undefined : printable(project)}>
      <Folder aria-hidden />
      <span className="one-line">{projectName(project)}</span>
    </h3>
    <ul>
      {sessions.slice(0, PER_PROJECT).map((session) => (
        <li key={session.sessionId}>
          <SessionLine session={session} isLive={liveIds.has(session.sessionId)} />
        </li>
      ))}
    </ul>
    {sessions.length > PER_PROJECT ? (
      <Link href={`/sessions?project=${encodeURIComponent(project ?? '')}`} className="recent-more">
        {counted(sessions.length - PER_PROJECT, 'more of the latest', 'more of the latest')}
      </Link>
    ) : null}
  </section>
);

const SessionLine = ({ session, isLive }: { readonly session: ListedSession; readonly isLive: boolean }) => (
  <Link href={`/sessions/${encodeURIComponent(session.sessionId)}`} className="recent-session">
    <span className="recent-title one-line">{sessionTitle(session.title)}</span>
    <span className="recent-about numbers">
      {isLive ? <LiveDot /> : null}
      {session.state === 'pending' ? <Badge tone="info">not imported yet</Badge> : <span>{counted(session.messages, 'message')}</span>}
      {session.costUsd === 0 ? null : <span>{usdText(session.costUsd)}</span>}
      <Moment at={session.endedAt} />
    </span>
  </Link>
);

const LATEST = 60;
const PER_PROJECT = 5;
