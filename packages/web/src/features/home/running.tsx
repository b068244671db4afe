import { printable, printableLine, resumeCommandOf } from '@yarnboard/transcript';
import { Bot, CirclePlay, SquareTerminal } from 'lucide-react';
import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { TurnMark } from '../../ui/turn-mark.tsx';
import { counted, projectName, type Turn } from '../../ui/wording.ts';
import type { ActiveSession } from '../../shared/activity.ts';
import './running.css';
import { UnaskedMark } from '../../shared/unasked-mark.tsx';
import { ToolSign } from '../../shared/tool-sign.tsx';
import { doingText, sessionTitle } from '../../shared/titles.ts';

type ActiveSessionsProps = { readonly sessions: readonly ActiveSession[]; readonly turns: ReadonlyMap<string, Turn> };

/** PAGE-40: active sessions, what they are doing, and their running sub-agents. */
export const ActiveSessions = ({ sessions, turns }: ActiveSessionsProps) => (
  <ul className="running card">
    {sessions.map((session) => (
      <li key={session.sessionId} className="running-session">
        <OneSession session={session} turn={turns.get(session.sessionId) ?? 'quiet'} />
      </li>
    ))}
  </ul>
);

const OneSession = ({ session, turn }: { readonly session: ActiveSession; readonly turn: Turn }) => {
  const { sessionId, tool, title, project, lastAt, agents, runId, launchId } = session;
  return (
    <>
      <div className="running-head">
        <Link href={`/sessions/${encodeURIComponent(sessionId)}`} className="running-title one-line">
          {sessionTitle(title)}
        </Link>
        {/* Sessions whose turn is over are under a heading that says so. */}
        {turn === 'yours' ? null : <TurnMark turn={turn} />}
      </div>
      <Doing session={session} turn={turn} />
      <p className="byline">
        <span title={project === null ? undefined : printable(project)}>{projectName(project)}</span>
        <ToolSign tool={tool} />
        <UnaskedMark sessionId={sessionId} />
        <Moment at={lastAt} />
        {runId === null ? null : (
          <Badge icon={CirclePlay} tone="info">
            run
          </Badge>
        )}
        {launchId === null ? null : <Badge icon={SquareTerminal}>terminal</Badge>}
        {agents.length === 0 ? null : <span>{counted(agents.length, 'sub-agent')} running</span>}
      </p>
      {turn === 'yours' && runId === null ? <Resume sessionId={sessionId} tool={tool} project={project} /> : null}
      {agents.length === 0 ? null : (
        <ul className="running-agents" aria-label="Running sub-agents">
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

const Doing = ({ session: { doing, title }, turn }: { readonly session: ActiveSession; readonly turn: Turn }) => {
  // Before the first reply, the title is the prompt itself.
  if (doing === null || sessionTitle(doing) === sessionTitle(title)) return null;
  if (turn === 'yours') return <p className="running-words">{doingText(doing)}</p>;
  return <p className={`running-doing one-line${turn === 'quiet' ? ' faint' : ''}`}>{doingText(doing)}</p>;
};

/** PAGE-185: the command that resumes a session in a terminal. */
const Resume = ({ sessionId, tool, project }: Pick<ActiveSession, 'sessionId' | 'tool' | 'project'>) => {
  const command = resumeCommandOf(tool, sessionId, project);
  if (command === null) return null;
  return (
    <p className="running-resume">
      <code className="one-line" title={printableLine(command)}>
        {printableLine(command)}
      </code>
      <CopyButton text={command} label="Copy resume command" />
    </p>
  );
};
