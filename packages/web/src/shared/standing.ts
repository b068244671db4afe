import type { EmergencyNews, InsideOutput, RecoveryNews } from '@yarnboard/protocol';
import { useAsk, useEmergency, useRecovery } from '../live/hooks.tsx';
import { counted } from '../ui/wording.ts';

export const STANDINGS = ['degraded', 'emergency', 'resuming', 'recovery', 'conflicts', 'audit'] as const;

/** PAGE-430: the state of the server, if something is wrong. */
export type Standing = {
  readonly kind: (typeof STANDINGS)[number];
  readonly word: string;
  /** ISO 8601. */
  readonly since: string | null;
  readonly text: string;
};

type Failing = NonNullable<InsideOutput<'status'>['failing']>[number];

/** The current problem; null while all is well. */
export const useStanding = (): Standing | null => {
  const emergency = useEmergency();
  const recovery = useRecovery();
  const { data } = useAsk('status', {}, { staleMs: 60_000, everyMs: 30_000 });
  return standingOf(emergency, recovery, data?.failing ?? []);
};

/** The one thing to show: the worst problem. */
export const standingOf = (emergency: EmergencyNews | null, recovery: RecoveryNews | null, failing: readonly Failing[]): Standing | null => {
  const ofLog = emergency === null ? null : ofEmergency(emergency);
  if (ofLog !== null && ofLog.kind !== 'degraded') return ofLog;
  if (recovery?.state === 'RECOVERY_NEEDED')
    return { kind: 'recovery', word: 'Recovery needed', since: null, text: 'Previous session crashed. Recovery audit required.' };
  if (ofLog !== null) return ofLog;
  // Without a start time it isn't an outage: search skips overlong texts, and the start-up alert has its own place here.
  const [first, ...more] = failing.filter(({ name, since }) => since !== null && name !== 'recovery');
  if (first !== undefined)
    return {
      kind: 'degraded',
      word: 'Degraded',
      since: first.since,
      text: `${first.effect}.${more.length === 0 ? '' : ` ${more.length} more on Health.`}`,
    };
  if (recovery === null) return null;
  if (recovery.openWrites > 0)
    return {
      kind: 'conflicts',
      word: 'Conflicts',
      since: null,
      text: `${counted(recovery.openWrites, 'queued item')} from an outage couldn’t be saved as is.`,
    };
  if (recovery.state === 'AUDIT_RECOMMENDED')
    return { kind: 'audit', word: 'Audit recommended', since: null, text: 'Unclean shutdown detected. Quick audit recommended.' };
  return null;
};

const ofEmergency = ({ state, since, pendingWrites, settledWrites, places, message }: EmergencyNews): Standing | null => {
  switch (state) {
    case 'normal':
      return null;
    case 'degraded':
      return { kind: 'degraded', word: 'Degraded', since, text: `A write to the log failed and is being retried${reasonIn(message)}.` };
    case 'emergency':
      return {
        kind: 'emergency',
        word: 'Emergency',
        since,
        text: `The log is unavailable${reasonIn(message)}. ${queuedText(pendingWrites, places)}`,
      };
    case 'resuming':
      return {
        kind: 'resuming',
        word: 'Resuming',
        since,
        text: `The log is back. ${settledWrites} of ${counted(settledWrites + pendingWrites, 'queued item')} settled.`,
      };
    default:
      return state;
  }
};

const queuedText = (pending: number, places: readonly string[]): string =>
  pending === 0
    ? 'What you send is queued.'
    : `${pending} queued, stored in ${places.map((place) => PLACES.get(place) ?? place).join(', ') || 'no place yet'}.`;

/** The server says first what is down, then why. */
const reasonIn = (message: string): string => {
  const [, why] = /: (.+)$/su.exec(message) ?? [];
  return why === undefined ? '' : ` (${why})`;
};

export const PLACES: ReadonlyMap<string, string> = new Map([
  ['home', 'the home folder'],
  ['state', 'the state folder'],
  ['sqlite', 'SQLite'],
  ['redis', 'Redis'],
  ['nas', 'the network folder'],
]);
