import { printable } from '@yarnboard/transcript';
import { Bot, CirclePlay, Coffee, SquareTerminal } from 'lucide-react';
import { Link } from 'wouter';
import { Badge, LiveDot } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Empty } from '../../ui/state.tsx';
import { counted, projectName } from '../../ui/wording.ts';
import { useActivity, type ActiveSession } from './activity.ts';
import { PermissionRequests } from './permission-requests.tsx';
import './running.css';
import { Answered, Section } from './section.tsx';
import { doingText, sessionTitle } from './titles.ts';

/** PAGE-40: sessions that are written to, what they do, and their sub-agents at work. */
export const Running = () => {
  const activity = useActivity();
  const working = activity.data?.sessions.filter(({ isWorking, agents }) => isWorking || agents.length > 0).length;
  return (
    <Section title="Running now" count={working}>
      <Answered query={activity} what="What is going on" lines={4}>
        {({ sessions, permissions }) => (
          <>
            {permissions.length === 0 ? null : <PermissionRequests requests={permissions} />}
            {sessions.length === 0 ? <NothingRuns /> : <SessionsAtWork sessions={sessions} />}
          </>
        )}
      </Answered>
    </Section>
  );
};

const NothingRuns = () => (
  <div className="card">
    <Empty icon={Coffee} title="Nothing is running">
      Start Claude Code in any project: it appears here with its first line.
    </Empty>
  </div>
);

const SessionsAtWork = ({ sessions }: { readonly sessions: readonly ActiveSession[] }) => (
  <ul className="running card">
    {sessions.map((session) => (
      <li key={session.sessionId} className="running-session">
        <SessionAtWork session={session} />
      </li>
    ))}
  </ul>
);

const SessionAtWork = ({ session }: { readonly session: ActiveSession }) => {
  const { sessionId, title, project, lastAt, isWorking, agents, runId, launchId } = session;
  // Before anything was answered, what was asked is the title as well.
  const doing = session.doing === null || sessionTitle(session.doing) === sessionTitle(title) ? null : session.doing;
  return (
    <>
      <div className="running-head">
        <Link href={`/sessions/${encodeURIComponent(sessionId)}`} className="running-title one-line">
          {sessionTitle(title)}
        </Link>
        {isWorking ? <LiveDot label="working" /> : <Badge>quiet</Badge>}
      </div>
      {doing === null ? null : <p className={`running-doing one-line${isWorking ? '' : ' faint'}`}>{doingText(doing)}</p>}
      <p className="running-about">
        <span title={project === null ? undefined : printable(project)}>{projectName(project)}</span>
        <Moment at={lastAt} />
        {runId === null ? null : (
          <Badge icon={CirclePlay} tone="info">
            run
          </Badge>
        )}
        {launchId === null ? null : <Badge icon={SquareTerminal}>terminal</Badge>}
        {agents.length === 0 ? null : <span>{counted(agents.length, 'sub-agent')} at work</span>}
      </p>
      {agents.length === 0 ? null : (
        <ul className="running-agents" aria-label="Sub-agents at work">
          {agents.map(({ agentId, agent, operations, doing: agentDoing }) => (
            <li key={agentId} className="running-agent">
              <Bot aria-hidden />
              <span className="running-kind">{agent === 'unknown' ? 'sub-agent' : agent}</span>
              <span className="running-doing one-line">{agentDoing === null ? '' : doingText(agentDoing)}</span>
              <span className="running-operations numbers">{counted(operations, 'operation')}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
