import { assertNever, printableLine } from '@yarnboard/transcript';
import { X } from 'lucide-react';
import { useAsk } from '../../live/hooks.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { Link } from 'wouter';
import { bytesText, counted, countOf } from '../../ui/wording.ts';
import { toolName } from '../../shared/tools.ts';
import { sessionPath } from './session-address.ts';
import type { SessionDetail } from './session-head.tsx';

/** PAGE-27: counts what a session consists of, for anyone who misses something in it. */
export const SessionCounts = ({ session, onClose }: { readonly session: SessionDetail; readonly onClose: () => void }) => {
  const integrity = useAsk('integrity', { session: session.sessionId });
  return (
    <section className="session-counts" aria-labelledby="session-counts-title">
      <header className="session-counts-head">
        <h2 id="session-counts-title">Counts</h2>
        <IconButton icon={X} label="Hide counts" size="small" onClick={onClose} />
      </header>
      <dl className="session-counts-list numbers">
        {countsOf(session).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'number' ? countOf(value) : value}</dd>
          </div>
        ))}
      </dl>
      {session.offPath.stretches.length === 0 ? null : (
        <>
          <h3 className="small">On no branch</h3>
          <ul className="session-findings">
            {session.offPath.stretches.map(({ reason, messages, through }) => (
              <li key={through}>
                <Link href={sessionPath({ sessionId: session.sessionId, at: null, thread: null, through })}>{counted(messages, 'message')}</Link>:{' '}
                {reasonText(reason)}
              </li>
            ))}
          </ul>
        </>
      )}
      {integrity.data === undefined ? (
        integrity.error === null ? (
          <Skeleton lines={1} label="Checking session" />
        ) : (
          <p className="step-refusal">{integrity.error.message}</p>
        )
      ) : integrity.data.findings.length === 0 ? (
        <p className="soft small">No problems: every message has its parent, every operation its message.</p>
      ) : (
        <ul className="session-findings">
          {integrity.data.findings.map(({ rule, severity, count, examples }) => (
            <li key={rule}>
              <strong>{severity}</strong>: {rule}, {countOf(count)} times{' '}
              <span className="faint">({printableLine(examples.slice(0, 3).join(', '))})</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

type Reason = SessionDetail['offPath']['stretches'][number]['reason'];

const reasonText = (reason: Reason): string => {
  switch (reason) {
    case 'replayed':
      return 'a repetition of what was said before';
    case 'other_root':
      return 'not connected to the conversation';
    case 'dead_end':
      return 'left behind when the conversation went on';
    default:
      return assertNever(reason);
  }
};

type Count = { readonly name: string; readonly value: number | string };

const countsOf = (session: SessionDetail): readonly Count[] => [
  { name: 'Records', value: session.entries },
  { name: 'Messages', value: session.messages },
  { name: 'On this branch', value: session.activePath.messages },
  { name: 'On other branches', value: Math.max(0, session.messages - session.activePath.messages - session.offPath.messages) },
  { name: 'On no branch', value: session.offPath.messages },
  { name: 'Copied', value: session.copied },
  { name: 'Exchanges', value: session.exchanges },
  { name: 'Tool uses', value: session.tools.uses },
  { name: 'Tool results', value: session.tools.results },
  { name: 'Tool uses with a result', value: session.tools.paired },
  { name: 'Errors', value: session.errors },
  { name: 'Sub-agents', value: session.sidechains },
  { name: 'Branch points', value: session.branchPoints },
  { name: 'Without a parent', value: session.roots },
  { name: 'Cycles', value: session.cycles },
  { name: 'Compactions', value: session.compactions },
  { name: 'Unreadable lines', value: session.quarantined },
  { name: 'Responses', value: session.responses },
  { name: 'Size', value: bytesText(session.bytes) },
  { name: toolName(session.tool), value: printableLine(session.versions.join(', ')) || 'unknown' },
];
