import type { InsideOutput } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { Failure } from '../../ui/state.tsx';
import { countOf, counted } from '../../ui/wording.ts';
import { Good } from './good.tsx';
import './health.css';

/** PAGE-170: lines of readable files that are not valid records. */
export const UnreadableLines = () => {
  const { data, error } = useAsk('sessions', { quarantined: 'true', limit: MOST }, { everyMs: 10_000 });
  if (error !== null) return <Failure title="Couldn’t load unreadable lines" error={error} />;
  if (data === undefined) return null;
  const { items, nextCursor } = data;
  if (items.length === 0) return <Good text="All lines readable" />;
  const lines = items.reduce((sum, { quarantined }) => sum + quarantined, 0);
  const atLeast = nextCursor === null ? '' : 'At least ';
  return (
    <div className="health-line">
      <TriangleAlert className="health-warn" aria-hidden />
      <div className="health-words">
        <p>
          {atLeast}
          {counted(lines, 'unreadable line')} in {counted(items.length, 'session')} (kept as is)
        </p>
        <ul className="health-sessions" aria-label="Sessions with unreadable lines">
          {items.map((session) => (
            <li key={session.sessionId}>
              <Link href={`/sessions/${encodeURIComponent(session.sessionId)}`}>{nameOf(session)}</Link>{' '}
              <span className="numbers soft">({countOf(session.quarantined)})</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
};

const nameOf = ({ title, sessionId }: InsideOutput<'sessions'>['items'][number]): string => {
  const name = printableLine(title ?? '');
  return name === '' ? `Session ${sessionId.slice(0, 8)}` : name;
};

const MOST = 100;
