import { printableLine } from '@yarnboard/transcript';
import { GitBranch, GitCommitHorizontal, GitPullRequest } from 'lucide-react';
import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { sessionPath } from '../sessions/session-address.ts';
import './changes.css';

/** PAGE-555: branches, commits and pull requests of a session; renders nothing if there are none. */
export const GitList = ({ sessionId }: { readonly sessionId: string }) => {
  const { data, error } = useAsk('session_git', { id: sessionId });
  if (error !== null && data === undefined) return <p className="step-refusal">{error.message}</p>;
  if (data === undefined || data.branches.length + data.commits.length + data.pullRequests.length === 0) return null;
  const { branches, commits, pullRequests } = data;
  return (
    <section className="git-list" aria-label="Git">
      {branches.length === 0 ? null : (
        <p className="git-branches">
          <span className="visually-hidden">Branches: </span>
          {branches.map((branch) => (
            <Badge key={branch} icon={GitBranch}>
              {branch}
            </Badge>
          ))}
        </p>
      )}
      {commits.length + pullRequests.length === 0 ? null : (
        <ul>
          {commits.map(({ uuid, ref, agentId, hash, subject, at }) => (
            <li key={`${uuid} ${hash}`}>
              <GitCommitHorizontal aria-hidden />
              <code>{hash.slice(0, 10)}</code>
              <span className="git-subject">{printableLine(subject)}</span>
              <MessageLink sessionId={sessionId} refOrUuid={ref ?? uuid} label={ref} thread={agentId} what={`commit ${hash.slice(0, 10)}`} />
              <Moment at={at} />
            </li>
          ))}
          {pullRequests.map(({ uuid, ref, agentId, url, number, at }) => (
            <li key={`${uuid} ${url}`}>
              <GitPullRequest aria-hidden />
              <a href={url} target="_blank" rel="noreferrer noopener" className="git-subject">
                Pull request {number}
              </a>
              <MessageLink sessionId={sessionId} refOrUuid={ref ?? uuid} label={ref} thread={agentId} what={`pull request ${number}`} />
              <Moment at={at} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

type MessageLinkProps = {
  readonly sessionId: string;
  readonly refOrUuid: string;
  readonly label: string | null;
  readonly thread: string | null;
  readonly what: string;
};

const MessageLink = ({ sessionId, refOrUuid, label, thread, what }: MessageLinkProps) => (
  <Link
    href={sessionPath({ sessionId, at: refOrUuid, thread, through: null })}
    aria-label={`Message of ${what}${label === null ? '' : `, ${label}`}`}
  >
    {label ?? 'Message'}
  </Link>
);
