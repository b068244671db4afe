import { isOperator } from '@yarnboard/domain';
import { printable, printableLine } from '@yarnboard/transcript';
import { CircleCheck, LifeBuoy, Lock, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useActor, useAsk, useConnection, useRecovery } from '../../live/hooks.tsx';
import { Answered, Section } from '../../shared/section.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';
import { counted } from '../../ui/wording.ts';
import { AuditVerdict } from './audit-verdict.tsx';
import { CacheCard } from './cache-card.tsx';
import { CachePlaces } from './cache-places.tsx';
import './recovery.css';
import { openCount, STEP_WORDS, type CacheRow, type State } from './recovery-words.ts';

/** PAGE-438: what a crash or an outage left behind, and what to do about it. */
export const RecoveryPage = () => {
  const actor = useActor();
  const recovery = useRecovery();
  const isConnecting = useConnection().kind !== 'open';
  if (actor !== null && isOperator(actor)) return <Operators />;
  return (
    <Page title="Recovery">
      {isConnecting ? (
        <Skeleton lines={3} />
      ) : (
        <Empty
          icon={recovery?.state === 'RECOVERY_NEEDED' ? LifeBuoy : Lock}
          title={recovery?.state === 'RECOVERY_NEEDED' ? NEEDED : 'Sign in as the operator'}
        >
          <p>
            {recovery?.state === 'RECOVERY_NEEDED'
              ? 'The operator has to review queued items before anyone can write again. You can still read everything: '
              : 'Run “yarnboard open” to sign in and review what an outage left behind. You can still read: '}
            <Link href="/sessions">sessions</Link>, <Link href="/sidebars">sidebars</Link>.
          </p>
        </Empty>
      )}
    </Page>
  );
};

const Operators = () => {
  const state = useAsk('recovery', {}, { everyMs: 10_000 });
  return (
    <Page title="Recovery" subtitle="Review what a crash or an outage left behind.">
      <Answered query={state} what="recovery" lines={6}>
        {(data) => <Found state={data} />}
      </Answered>
    </Page>
  );
};

const Found = ({ state }: { readonly state: State }) => {
  const open = state.caches.filter(({ resolvedAt }) => resolvedAt === null).toReversed();
  // Caches you worked on stay in place with their outcome until you return to the view.
  const [worked, setWorked] = useState<ReadonlySet<string>>(new Set());
  if (open.some(({ cacheId }) => !worked.has(cacheId))) setWorked(new Set([...worked, ...open.map(({ cacheId }) => cacheId)]));
  const here = state.caches.filter(({ cacheId, resolvedAt }) => resolvedAt === null || worked.has(cacheId)).toReversed();
  const resolved = state.caches.filter((cache) => !here.includes(cache)).toReversed();
  return (
    <>
      <Standing state={state} open={open} />
      {here.length === 0 ? null : (
        <Section title={open.length === 0 ? 'Reviewed' : 'To review'} count={open.length}>
          <div className="recovery-caches">
            {here.map((cache) => (
              <CacheCard key={cache.cacheId} cache={cache} isFirst={cache === open[0]} />
            ))}
          </div>
        </Section>
      )}
      {state.doubtful.length === 0 ? null : (
        <Section title="Not trusted" count={state.doubtful.length}>
          <ul className="card recovery-card" aria-label="Copies that are left alone">
            {state.doubtful.map(({ place, where, kind, why }) => (
              <li key={`${place}|${where}|${kind}`} className="recovery-line">
                <TriangleAlert className="recovery-warn" aria-hidden />
                <span>
                  <code>{printableLine(where)}</code>: {printable(why)} It was left as it is.
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Audit">
        <Audit state={state} />
      </Section>
      <Section title="Where queued items are stored" count={state.places.length}>
        <div className="card recovery-card">
          <CachePlaces places={state.places} lastOutage={state.lastOutage} />
        </div>
      </Section>
      {resolved.length === 0 ? null : (
        <Section title="Resolved" count={resolved.length}>
          <p className="small soft">Kept for 30 days.</p>
          <div className="recovery-caches">
            {resolved.map((cache) => (
              <CacheCard key={cache.cacheId} cache={cache} isFirst={false} />
            ))}
          </div>
        </Section>
      )}
    </>
  );
};

const Standing = ({ state, open }: { readonly state: State; readonly open: readonly CacheRow[] }) => {
  if (state.state === 'RECOVERY_NEEDED') {
    const waiting = open.filter(({ own }) => own).reduce((sum, cache) => sum + openCount(cache), 0);
    return (
      <div className="card recovery-needed" role="status">
        <LifeBuoy aria-hidden />
        <div>
          <p className="recovery-lead">{NEEDED}</p>
          <p>
            {waiting === 0 ? 'Nothing is left to replay.' : `${counted(waiting, 'queued item')} not on the log yet.`} Until you’ve replayed, discarded
            or resolved everything, nobody can write here. Reading, search and import still work.
          </p>
          <ol className="recovery-steps" aria-label="Suggested order">
            {[...STEP_WORDS.values()].map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      </div>
    );
  }
  if (open.length > 0) return <Notice tone="warn">The outage is over, but some queued items couldn’t be saved as is. Everything else works.</Notice>;
  if (state.state === 'AUDIT_RECOMMENDED') return <Notice tone="warn">Unclean shutdown detected. Quick audit recommended.</Notice>;
  return (
    <Empty icon={CircleCheck} title="Nothing to recover">
      <p>While the log is unavailable, what you and others send is queued. You review here what couldn’t be saved.</p>
    </Empty>
  );
};

/** PAGE-439 */
const Audit = ({ state }: { readonly state: Pick<State, 'state'> }) => {
  const audit = useAsk('recovery_audit', {}, { isWanted: false });
  const [hasRun, setHasRun] = useState(false);
  return (
    <div className="card recovery-card" aria-live="polite">
      <div className="recovery-line">
        <p className="recovery-grow small soft">Verifies the whole log and its signed checkpoints, and looks for anything an outage left.</p>
        <Button
          icon={ShieldCheck}
          variant={state.state === 'AUDIT_RECOMMENDED' ? 'primary' : 'plain'}
          isBusy={audit.isFetching}
          onClick={() => {
            setHasRun(true);
            void audit.refetch();
          }}
        >
          Run audit
        </Button>
      </div>
      {audit.error === null ? null : <Failure title="Couldn’t run the audit" error={audit.error} />}
      {!hasRun || audit.data === undefined ? null : <AuditVerdict verdict={audit.data} />}
    </div>
  );
};

const NEEDED = 'Previous session crashed. Recovery audit required.';
