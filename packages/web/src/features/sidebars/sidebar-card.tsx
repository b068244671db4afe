import { openConflicts, pendingFindings, standingFindings, type Sidebar } from '@yarnboard/domain';
import { CircleCheck, CircleDashed, CornerLeftUp, GitFork, Hourglass, MessageSquare, TriangleAlert, type LucideIcon } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { useBoard } from '../../live/hooks.tsx';
import { EscalatedMark } from '../../ui/marks.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Moment } from '../../ui/moment.tsx';
import { counted } from '../../ui/wording.ts';
import { inShort, nameOf, pathOfSidebar, shortId } from '../../shared/names.ts';
import { BesideButton, nameIn } from '../../shared/beside-link.tsx';
import { Person } from '../../shared/people.tsx';
import { PriorityMark } from './priority-mark.tsx';
import './sidebar-card.css';
import { useUnconfirmed } from './unconfirmed.ts';

/** A sidebar on the board: the whole card is a link, and so are the references inside it. */
export const SidebarCard = memo(({ sidebar }: { readonly sidebar: Sidebar }) => {
  const { ref, task, participants, priority, scratchpad, escalation, waiting, lastActivity, messages } = sidebar;
  const unconfirmed = useUnconfirmed(sidebar);
  const conflicts = openConflicts(scratchpad).length;
  const confirmed = standingFindings(scratchpad).length;
  const pending = pendingFindings(scratchpad).length;
  return (
    <article className="sidebar-card">
      <div className="sidebar-card-head">
        <span className="sidebar-card-ref">{ref === '' ? 'new' : ref}</span>
        <PriorityMark priority={priority} />
        <span className="sidebar-card-when">
          <Moment at={lastActivity} />
        </span>
        <span className="sidebar-card-beside">
          <BesideButton name={nameIn(sidebar)} />
        </span>
      </div>
      <Link href={pathOfSidebar(sidebar)} className="sidebar-card-link" aria-label={`${ref === '' ? 'new' : ref}: ${inShort(task)}`}>
        {inShort(task)}
      </Link>
      {escalation === null && unconfirmed === null ? null : (
        <div className="sidebar-card-head">
          {escalation === null ? null : <EscalatedMark why={escalation.reason} />}
          {unconfirmed === null ? null : <OnItsWayMark id={unconfirmed} />}
        </div>
      )}
      {waiting === null ? null : (
        <p className="sidebar-card-waiting" title={inShort(waiting.description ?? waiting.waitingFor)}>
          <Hourglass aria-hidden />
          <span className="one-line">for {inShort(waiting.waitingFor)}</span>
        </p>
      )}
      <div className="sidebar-card-foot">
        <span className="sidebar-card-people">
          {participants.slice(0, FACES).map((id) => (
            <Person key={id} id={id} isShort />
          ))}
          {participants.length > FACES ? <span title={participants.slice(FACES).map(nameOf).join(', ')}>+{participants.length - FACES}</span> : null}
        </span>
        <span className="sidebar-card-counts">
          <Count icon={CircleCheck} n={confirmed} tone="good" says={counted(confirmed, 'confirmed finding')} />
          <Count icon={CircleDashed} n={pending} tone="info" says={counted(pending, 'pending finding')} />
          <Count icon={TriangleAlert} n={conflicts} tone="bad" says={counted(conflicts, 'open conflict')} />
          <Count icon={MessageSquare} n={messages} tone="plain" says={counted(messages, 'message')} />
          <From sidebar={sidebar} />
        </span>
      </div>
    </article>
  );
});

/** A short note on where it came from. */
const From = ({ sidebar: { parent, forkedFrom } }: { readonly sidebar: Sidebar }) => {
  const above = forkedFrom ?? (parent?.kind === 'sidebar' ? parent.sidebarId : null);
  const ref = useBoard((board) => (above === null ? null : board.sidebars.get(above)?.ref), [above]);
  if (above !== null) {
    const Icon = forkedFrom === null ? CornerLeftUp : GitFork;
    return (
      <Link href={`/sidebars/${ref ?? above}`} className="sidebar-card-from" title={forkedFrom === null ? 'Parent sidebar' : 'Forked from'}>
        <Icon aria-hidden />
        {ref ?? shortId(above)}
      </Link>
    );
  }
  return parent?.kind === 'session' ? (
    <Link href={`/sessions/${encodeURIComponent(parent.sessionId)}`} className="sidebar-card-from" title={`Parent session ${parent.sessionId}`}>
      <CornerLeftUp aria-hidden />
      session
    </Link>
  ) : null;
};

type CountProps = { readonly icon: LucideIcon; readonly n: number; readonly tone: 'good' | 'info' | 'bad' | 'plain'; readonly says: string };

const Count = ({ icon: Icon, n, tone, says }: CountProps) =>
  n === 0 ? null : (
    <span className={`sidebar-card-count sidebar-card-${tone}`} title={says}>
      <Icon aria-hidden />
      <span className="numbers" aria-hidden>
        {n}
      </span>
      <span className="visually-hidden">{says}</span>
    </span>
  );

const FACES = 3;
