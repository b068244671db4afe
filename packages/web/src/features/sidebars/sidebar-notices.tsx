import { askedToReview, openConflicts, OPERATOR, rightTo, sidebarOf, type Sidebar } from '@yarnboard/domain';
import { Archive, CirclePause, CirclePlay, CircleX, Combine, FlaskConical, GitMerge, Hourglass, Scale, Siren, TriangleAlert, X } from 'lucide-react';
import { Link } from 'wouter';
import { useActor, useBoard } from '../../live/hooks.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useKeptFocus } from '../../ui/kept-focus.ts';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { counted, momentText } from '../../ui/wording.ts';
import { ContextLink, MergedLink } from '../../shared/context-link.tsx';
import { nameOf, pathOfSidebar } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';
import type { Moves } from './sidebar-moves.tsx';
import { SidebarProposals } from './sidebar-proposals.tsx';
import { StandingChildren } from './standing-children.tsx';
import { ReportResult } from './test-results.tsx';

/** PAGE-83: what is holding up a sidebar or has ended it, and what to do about it. */
export const SidebarNotices = ({ sidebar, moves }: { readonly sidebar: Sidebar; readonly moves: Moves }) => {
  const actor = useActor();
  const { escalation, escalatedTo, scratchpad, status } = sidebar;
  const notices = useKeptFocus();
  const conflicts = openConflicts(scratchpad).length;
  const isMineToScore = actor !== null && STILL_AT_WORK.has(status) && askedToReview(sidebar).includes(actor.id);
  return (
    <div ref={notices} className="sidebar-notices">
      <Refusal text={moves.refusal} />
      {moves.meanwhile === null ? null : (
        <Notice tone="info" icon={CirclePlay} action={<IconButton icon={X} label="Dismiss" size="small" onClick={moves.forget} />}>
          <p>In the meantime:</p>
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
            Open until {escalatedTo === null || escalatedTo === OPERATOR.id ? 'the operator' : `${nameOf(escalatedTo)} or the operator`} responds.
          </p>
        </Notice>
      )}
      <SidebarProposals sidebar={sidebar} />
      <Standstill sidebar={sidebar} />
      {MAY_END.has(status) ? <StandingChildren sidebar={sidebar} /> : null}
      <Ending sidebar={sidebar} />
      {conflicts === 0 || !STILL_AT_WORK.has(status) ? null : (
        <Notice tone="warn" icon={TriangleAlert} action={<Link href={`${pathOfSidebar(sidebar)}?tab=scratchpad`}>Resolve</Link>}>
          {counted(conflicts, 'open conflict')}. Conflicting findings are excluded from the merge.
        </Notice>
      )}
      {isMineToScore ? <Notice icon={Scale}>Rate the inherited exchanges: choose HIGH, MEDIUM or LOW beside each.</Notice> : null}
    </div>
  );
};

type PartProps = { readonly sidebar: Sidebar };

const Standstill = ({ sidebar }: PartProps) => {
  const isReading = useActor() === null;
  const { status, pause, waiting } = sidebar;
  if (status === 'PAUSED' && pause !== null) {
    return (
      <Notice icon={CirclePause}>
        <strong>Paused</strong> <Moment at={pause.at} />: {withReferences(pause.reason)}
        {pause.resumeCondition === null ? null : <span className="soft"> Resume when: {withReferences(pause.resumeCondition)}</span>}
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
        {waiting.deadline === null ? null : <span className="soft"> Fails on {momentText(waiting.deadline)}.</span>}
      </Notice>
    );
  }
  if (status === 'TESTING') {
    return (
      <Notice icon={FlaskConical} action={<ReportResult sidebar={sidebar} />}>
        <strong>Testing</strong>: {isReading ? 'results are in the details.' : 'report what you find, then promote or discard it.'}
      </Notice>
    );
  }
  return null;
};

/** A sidebar spawned in the same step may be known by its id only. */
const Dependency = ({ name }: { readonly name: string }) => {
  const row = useBoard((board) => sidebarOf(board, name), [name]);
  return row === null ? <Reference to={name} /> : <ContextLink context={{ kind: 'sidebar', sidebarId: row.id }} />;
};

const Ending = ({ sidebar }: PartProps) => {
  const actor = useActor();
  const { status, failureReason, mergedInto, archive, merge, curator, coordinator } = sidebar;
  if (status === 'FAILED') {
    return (
      <Notice tone="warn" icon={CircleX}>
        <strong>Failed</strong>: {withReferences(failureReason ?? 'no reason given.')}{' '}
        <span className="soft">
          {actor !== null && rightTo('reopen', sidebar, actor) === 'yes' ? 'Reopen it to try again.' : 'To try again, archive it and fork it.'}
        </span>
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
            Merged into <MergedLink sidebar={sidebar} into={mergedInto} />
          </>
        )}
        <p className="soft">Read-only. Fork it to continue with everything it knew.</p>
      </Notice>
    );
  }
  if (status !== 'CONSOLIDATING' || merge === null) return null;
  const check = merge.checks.findLast(({ as }) => as === 'curator');
  return (
    <Notice icon={Combine}>
      <strong>Merge prepared</strong> by {nameOf(merge.proposedBy)} <Moment at={merge.at} />:{' '}
      {check === undefined
        ? `waiting for ${nameOf(curator)} (curator) to review it.`
        : check.isFit
          ? `reviewed by ${nameOf(check.by)}, waiting for ${nameOf(coordinator)} (coordinator) to approve it.`
          : `${nameOf(check.by)} requested changes: ${check.notes ?? ''}`}
    </Notice>
  );
};

/** A waiting sidebar is left out: its notice already says what it waits for. */
const MAY_END: ReadonlySet<string> = new Set(['ACTIVE', 'TESTING', 'REVIEWING', 'CONSOLIDATING']);
const STILL_AT_WORK: ReadonlySet<string> = new Set(['ACTIVE', 'TESTING', 'PAUSED', 'WAITING', 'REVIEWING', 'SPAWNING_CHILD', 'CONSOLIDATING']);
