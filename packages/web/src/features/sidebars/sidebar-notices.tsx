import { openConflicts, OPERATOR, sidebarOf, toReview, type Sidebar } from '@yarnboard/domain';
import { Archive, CirclePause, CirclePlay, CircleX, Combine, GitMerge, Hourglass, Scale, Siren, TriangleAlert, X } from 'lucide-react';
import { Link } from 'wouter';
import { useActor, useBoard } from '../../live/hooks.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useKeptFocus } from '../../ui/kept-focus.ts';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { counted, momentText } from '../../ui/wording.ts';
import { ContextLink, MergedLink } from './context-link.tsx';
import { nameOf, pathOfSidebar } from './names.ts';
import { Refusal } from './refusal.tsx';
import type { Moves } from './sidebar-moves.tsx';
import { StandingChildren } from './standing-children.tsx';

/** PAGE-83: what keeps a sidebar from going on, or has ended it, and what would help. */
export const SidebarNotices = ({ sidebar, moves }: { readonly sidebar: Sidebar; readonly moves: Moves }) => {
  const actor = useActor();
  const { escalation, escalatedTo, scratchpad, status } = sidebar;
  const notices = useKeptFocus();
  const conflicts = openConflicts(scratchpad).length;
  const isMineToScore = actor !== null && STILL_AT_WORK.has(status) && toReview(sidebar).includes(actor.id) && actor.id !== OPERATOR.id;
  return (
    <div ref={notices} className="sidebar-notices">
      <Refusal text={moves.refusal} />
      {moves.meanwhile === null ? null : (
        <Notice tone="info" icon={CirclePlay} action={<IconButton icon={X} label="Dismiss" size="small" onClick={moves.forget} />}>
          <p>Meanwhile:</p>
          <ul className="sidebar-notices-list">
            {moves.meanwhile.map((one) => (
              <li key={one}>{withReferences(one)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {escalation === null ? null : (
        <Notice tone="warn" icon={Siren}>
          <strong>Escalated</strong> by {nameOf(escalation.by)} <Moment at={escalation.at} />: {withReferences(escalation.reason)}
          <p className="soft">
            It is open until {escalatedTo === null || escalatedTo === OPERATOR.id ? 'the operator' : `${nameOf(escalatedTo)}, or the operator,`} says
            or does something here.
          </p>
        </Notice>
      )}
      <Standstill sidebar={sidebar} />
      {MAY_END.has(status) ? <StandingChildren sidebar={sidebar} /> : null}
      <Ending sidebar={sidebar} />
      {conflicts === 0 || !STILL_AT_WORK.has(status) ? null : (
        <Notice
          tone="warn"
          icon={TriangleAlert}
          action={<Link href={`${pathOfSidebar(sidebar)}?tab=scratchpad`}>{conflicts === 1 ? 'Look at it' : 'Look at them'}</Link>}
        >
          {counted(conflicts, 'conflict')} between findings {conflicts === 1 ? 'is' : 'are'} open. What is part of one is not merged.
        </Notice>
      )}
      {isMineToScore ? (
        <Notice icon={Scale}>You have not said yet which of the inherited exchanges matter. Each has HIGH, MEDIUM and LOW beside it.</Notice>
      ) : null}
    </div>
  );
};

type PartProps = { readonly sidebar: Sidebar };

const Standstill = ({ sidebar }: PartProps) => {
  const { status, pause, waiting } = sidebar;
  if (status === 'PAUSED' && pause !== null) {
    return (
      <Notice icon={CirclePause}>
        <strong>Paused</strong> <Moment at={pause.at} />: {withReferences(pause.reason)}
        {pause.resumeCondition === null ? null : <span className="soft"> To be resumed when: {withReferences(pause.resumeCondition)}</span>}
      </Notice>
    );
  }
  if (status === 'WAITING' && waiting !== null) {
    return (
      <Notice tone="warn" icon={Hourglass}>
        <strong>Waiting</strong> for {withReferences(waiting.waitingFor)} (<Moment at={waiting.at} />
        ).
        {waiting.description === null ? null : <> {withReferences(waiting.description)}</>}
        {waiting.dependencies.length === 0 ? null : (
          <span className="sidebar-notices-refs">
            {' '}
            Depends on
            {waiting.dependencies.map((dependency) => (
              <Dependency key={dependency} name={dependency} />
            ))}
          </span>
        )}
        {waiting.deadline === null ? null : <span className="soft"> It fails at {momentText(waiting.deadline)}.</span>}
      </Notice>
    );
  }
  return null;
};

/** A sidebar that was spawned in the same breath is known by its id only. */
const Dependency = ({ name }: { readonly name: string }) => {
  const row = useBoard((board) => sidebarOf(board, name), [name]);
  return row === null ? <Reference to={name} /> : <ContextLink context={{ kind: 'sidebar', sidebarId: row.id }} />;
};

const Ending = ({ sidebar }: PartProps) => {
  const { status, failureReason, mergedInto, archive, merge, curator, coordinator } = sidebar;
  if (status === 'FAILED') {
    return (
      <Notice tone="warn" icon={CircleX}>
        <strong>Failed</strong>: {withReferences(failureReason ?? 'nobody said why')}{' '}
        <span className="soft">Archive it; then it can be forked to try again.</span>
      </Notice>
    );
  }
  if (status === 'MERGED') {
    return (
      <Notice tone="good" icon={GitMerge}>
        <strong>Merged</strong>{' '}
        {mergedInto === null ? null : (
          <>
            into <MergedLink sidebar={sidebar} into={mergedInto} />
          </>
        )}
      </Notice>
    );
  }
  if (archive !== null) {
    return (
      <Notice icon={Archive}>
        <strong>Archived</strong> <Moment at={archive.at} /> by {nameOf(archive.by)} ({archive.reason.replace('_', ' ')})
        {archive.note === null ? '.' : <>: {withReferences(archive.note)}</>}{' '}
        {mergedInto === null ? null : (
          <>
            It was merged into <MergedLink sidebar={sidebar} into={mergedInto} />
          </>
        )}
        <p className="soft">Nothing more is said or done in it. A fork takes it up again, with everything it knew.</p>
      </Notice>
    );
  }
  if (status !== 'CONSOLIDATING' || merge === null) return null;
  const check = merge.checks.findLast(({ as }) => as === 'curator');
  return (
    <Notice icon={Combine}>
      <strong>Consolidated</strong> by {nameOf(merge.proposedBy)} <Moment at={merge.at} />:{' '}
      {check === undefined
        ? `it waits for ${nameOf(curator)}, the curator, to check it.`
        : check.isFit
          ? `${nameOf(check.by)} found it fit; it waits for ${nameOf(coordinator)}, the coordinator, to approve it.`
          : `${nameOf(check.by)} wants changes: ${check.notes ?? ''}`}
    </Notice>
  );
};

/** Whoever waits is told by that for what. */
const MAY_END: ReadonlySet<string> = new Set(['ACTIVE', 'TESTING', 'REVIEWING', 'CONSOLIDATING']);
const STILL_AT_WORK: ReadonlySet<string> = new Set(['ACTIVE', 'TESTING', 'PAUSED', 'WAITING', 'REVIEWING', 'SPAWNING_CHILD', 'CONSOLIDATING']);
