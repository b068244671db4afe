import { printableLine } from '@yarnboard/transcript';
import { useState } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { Answered } from '../../shared/section.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference } from '../../ui/reference.tsx';
import { Failure } from '../../ui/state.tsx';
import { counted, countOf } from '../../ui/wording.ts';
import { AuditVerdict } from './audit-verdict.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { PendingWrite } from './pending-write.tsx';
import { isOpenWrite, STEP_WORDS, type Cache, type Write } from './recovery-words.ts';
import { useReplay, type Replaying } from './use-replay.ts';

/** PAGE-441: everything queued in a cache, and what each item would do now. */
export const CacheReview = ({ cacheId }: { readonly cacheId: string }) => {
  const cache = useAsk('recovery_cache', { cacheId });
  return (
    <Answered query={cache} what="queued items" lines={5}>
      {(data) => <Reviewed cache={data} />}
    </Answered>
  );
};

const Reviewed = ({ cache }: { readonly cache: Cache }) => {
  const { cacheId, own, resolvedAt, pendingWrites, sidebarSnapshots, suggestedRecoveryOrder, lastKnownGoodState, head } = cache;
  const { state, replay } = useReplay(cacheId);
  const [shown, setShown] = useState(STEP);
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(new Set());
  const [discarded, setDiscarded] = useState<Write | null>(null);
  const open = pendingWrites.filter(isOpenWrite);
  const left = open.filter(({ n }) => !skipped.has(n));
  const isBusy = state.kind === 'running' || state.kind === 'verifying';
  const canAct = resolvedAt === null && !isBusy;
  const replayAll = (writes: readonly Write[]): void =>
    void replay(
      writes.map(({ n }) => n),
      { otherHome: !own, isVerified: true },
    );
  return (
    <div className="recovery-review">
      <p className="small soft">
        The log was last known at entry {countOf(head.position)}, <Moment at={lastKnownGoodState} />.
        {resolvedAt === null ? ` Suggested order: ${suggestedRecoveryOrder.map((step) => STEP_WORDS.get(step) ?? step).join(', then ')}.` : ''}
      </p>
      {canAct && open.length > 0 ? (
        <div className="actions">
          <Button variant="primary" disabled={left.length === 0} onClick={() => replayAll(left)}>
            {skipped.size === 0 ? `Replay all ${countOf(left.length)}` : `Replay ${countOf(left.length)} of ${countOf(open.length)}`}
          </Button>
          <span className="small soft">
            or one by one: <kbd>y</kbd> replays the focused item, <kbd>n</kbd> skips it.
          </span>
        </div>
      ) : null}
      <Progress state={state} />
      {pendingWrites.length === 0 ? <p className="small soft">Nothing was queued.</p> : null}
      <ol className="recovery-writes" aria-label="Queued items">
        {pendingWrites.slice(0, shown).map((write) => (
          <PendingWrite
            key={write.uuid}
            write={write}
            isSkipped={skipped.has(write.n)}
            canAct={canAct && isOpenWrite(write)}
            onReplay={() => void replay([write.n], { otherHome: !own, isVerified: open.length === 1 })}
            onSkip={() => setSkipped(toggled(skipped, write.n))}
            onDiscard={() => setDiscarded(write)}
          />
        ))}
      </ol>
      {pendingWrites.length > shown ? (
        <Button onClick={() => setShown(shown + STEP)}>
          Show {countOf(Math.min(STEP, pendingWrites.length - shown))} more of {countOf(pendingWrites.length)}
        </Button>
      ) : null}
      {sidebarSnapshots.length === 0 ? null : (
        <details className="recovery-sidebars">
          <summary>{counted(sidebarSnapshots.length, 'sidebar')} active then</summary>
          <ul>
            {sidebarSnapshots.slice(0, MOST_SIDEBARS).map(({ sidebarId, status, lastActivity }) => (
              <li key={sidebarId} className="recovery-line">
                <Reference to={sidebarId}>{printableLine(sidebarId)}</Reference>
                <Badge>{status.toLowerCase()}</Badge>
                <span className="small soft">
                  last activity <Moment at={lastActivity} />
                </span>
              </li>
            ))}
            {sidebarSnapshots.length > MOST_SIDEBARS ? <li>and {countOf(sidebarSnapshots.length - MOST_SIDEBARS)} more</li> : null}
          </ul>
        </details>
      )}
      {discarded === null ? null : <DiscardDialog cacheId={cacheId} writes={[discarded.n]} count={1} onClose={() => setDiscarded(null)} />}
    </div>
  );
};

/** PAGE-445: the progress of a replay, then what the audit found and what was saved. */
const Progress = ({ state }: { readonly state: Replaying }) => (
  <div className="recovery-progress" aria-live="polite">
    {state.kind === 'running' ? (
      <>
        <progress max={state.all} value={state.done} aria-label="Replayed" />
        <span className="small numbers">
          {countOf(state.done)} of {countOf(state.all)} replayed
        </span>
      </>
    ) : null}
    {state.kind === 'verifying' ? <p className="small">Verifying the log…</p> : null}
    {state.kind === 'failed' ? (
      <Failure title={`Replay stopped after ${counted(state.done, 'item')}. What was replayed stays on the log.`} error={state.error} />
    ) : null}
    {state.kind === 'over' ? <Outcome settled={state.settled} verdict={state.verdict} /> : null}
  </div>
);

const Outcome = ({ settled, verdict }: Pick<Extract<Replaying, { kind: 'over' }>, 'settled' | 'verdict'>) => {
  const saved = settled.filter(({ outcome }) => outcome === 'replayed' || outcome === 'known');
  const refs = saved.flatMap((write) => write.refs);
  return (
    <>
      <p>
        {counted(saved.length, 'item')} on the log
        {saved.length === settled.length ? '.' : `, ${counted(settled.length - saved.length, 'conflict')} left to decide.`}
        {refs.length === 0 ? null : (
          <>
            {' '}
            {refs.slice(0, MOST_REFS).map((ref, i) => (
              <span key={ref}>
                {i === 0 ? '' : ', '}
                <Reference to={ref} />
              </span>
            ))}
            {refs.length > MOST_REFS ? ` and ${countOf(refs.length - MOST_REFS)} more` : ''}
          </>
        )}
      </p>
      {verdict === null ? null : <AuditVerdict verdict={verdict} />}
    </>
  );
};

const toggled = (set: ReadonlySet<number>, n: number): ReadonlySet<number> => {
  const next = new Set(set);
  if (!next.delete(n)) next.add(n);
  return next;
};

const STEP = 50;
const MOST_SIDEBARS = 50;
const MOST_REFS = 12;
