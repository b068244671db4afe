import { isOperator } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import { CircleAlert, CloudUpload, GitCompareArrows, LifeBuoy, ShieldAlert, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useActor, useConnection, useEmergency, useLive } from '../live/hooks.tsx';
import { Button } from '../ui/button.tsx';
import { ClockTime } from '../ui/moment.tsx';
import { useTellTabStanding } from '../ui/tab-count.tsx';
import { useToast } from '../ui/toast.tsx';
import { counted } from '../ui/wording.ts';
import { useStanding, type Standing } from '../shared/standing.ts';
import './standing-strip.css';

/** PAGE-430: one line in every view's frame about the state of the server; empty while all is well. */
export const StandingStrip = () => {
  const emergency = useEmergency();
  const isConnected = useConnection().kind === 'open';
  const standing = useStanding();
  useTellTabStanding(standing?.word ?? null);
  useSavedToast(emergency?.state ?? 'normal', emergency?.settledWrites ?? 0, isConnected);
  return (
    <div className="standing-place">
      <Announcement standing={standing} />
      {standing === null ? null : <Strip standing={standing} />}
    </div>
  );
};

const Strip = ({ standing: { kind, word, since, text } }: { readonly standing: Standing }) => {
  const { icon: Icon, tone } = LOOKS[kind];
  return (
    <section className={`standing standing-${tone}`} data-standing={kind} aria-label="Server state">
      <Icon aria-hidden />
      <p className="standing-text">
        <strong>{word}</strong>
        {since === null ? null : (
          <span className="standing-since">
            {' '}
            since <ClockTime at={since} />
          </span>
        )}
        <span className="standing-more"> {printableLine(text)}</span>
      </p>
      <Way kind={kind} />
    </section>
  );
};

/** What the user can do about it. */
const Way = ({ kind }: { readonly kind: Standing['kind'] }) => {
  const actor = useActor();
  if (kind === 'degraded' || kind === 'emergency' || kind === 'resuming') {
    return (
      <Link href="/health" className="standing-link">
        Health
      </Link>
    );
  }
  if (actor === null || !isOperator(actor))
    return <span className="standing-link">{kind === 'recovery' ? 'Read-only until the operator finishes recovery' : null}</span>;
  if (kind === 'audit') return <AuditButton />;
  return (
    <Link href="/recovery" className="standing-link">
      {kind === 'recovery' ? 'Start recovery' : 'Review'}
    </Link>
  );
};

/** PAGE-439: runs the audit with one click. */
const AuditButton = () => {
  const { ask } = useLive();
  const tell = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const { isWhole, entries, findings } = await ask('recovery_audit', {});
      if (isWhole) tell({ tone: 'good', title: 'Audit passed', text: `${counted(entries, 'entry', 'entries')} verified: no tampering found.` });
      else tell({ tone: 'bad', title: 'The audit found problems', text: `${findings.slice(0, 3).join('; ')}. See all of them on Recovery.` });
    } catch (error) {
      tell({ tone: 'bad', title: 'Couldn’t run the audit', text: error instanceof Error ? error.message : String(error) });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button size="small" isBusy={isBusy} onClick={() => void run()}>
      Run audit
    </Button>
  );
};

/** PAGE-431: announces each change of kind once, whatever its counts. */
const Announcement = ({ standing }: { readonly standing: Standing | null }) => {
  const kind = standing?.kind ?? null;
  const [said, setSaid] = useState<{ readonly kind: Standing['kind'] | null; readonly words: string }>({ kind: null, words: '' });
  if (said.kind !== kind) setSaid({ kind, words: standing === null ? 'All services are back.' : `${standing.word}. ${standing.text}` });
  return (
    <p className="visually-hidden" role="status" data-announces="standing">
      {said.words}
    </p>
  );
};

/** PAGE-437: says that queued items are on the log now. */
const useSavedToast = (state: string, settled: number, isConnected: boolean): void => {
  const tell = useToast();
  const before = useRef({ state, settled });
  useEffect(() => {
    const was = before.current;
    before.current = { state, settled };
    if (!isConnected || state !== 'normal' || was.state !== 'resuming') return;
    tell({ tone: 'good', title: 'The log is back', ...(was.settled === 0 ? {} : { text: `${counted(was.settled, 'queued item')} settled.` }) });
  }, [state, settled, isConnected, tell]);
};

const LOOKS: Readonly<Record<Standing['kind'], { readonly icon: LucideIcon; readonly tone: 'info' | 'warn' | 'bad' }>> = {
  degraded: { icon: TriangleAlert, tone: 'warn' },
  emergency: { icon: CircleAlert, tone: 'bad' },
  resuming: { icon: CloudUpload, tone: 'info' },
  recovery: { icon: LifeBuoy, tone: 'bad' },
  conflicts: { icon: GitCompareArrows, tone: 'warn' },
  audit: { icon: ShieldAlert, tone: 'info' },
};
