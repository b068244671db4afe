import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { StoreFault, type LogPort } from '@yarnboard/store';
import { readTextIfThere, writePrivateFile, type Home } from '../home/home.ts';
import type { FollowerState } from './runner.ts';
import { beginClock, readClock, resumeClock, stepToTell, type Read, type Reading, type SavedClock, type SteadyClock } from './steady-clock.ts';

/** Measures how long states have lasted, by a clock that nobody can set. */
export type DutyClock = {
  /** The time base of everything here; LIFE-80. */
  readonly now: () => number;
  /** When a state began, by the same clock. It begins now unless it is known, or predates this start: `at` is the wall clock's time. */
  readonly since: (id: string, began: string, at: number) => number;
  readonly forget: (id: string) => void;
  /** From now on, an unknown state begins when it is first queried. */
  readonly started: () => void;
  readonly state: () => FollowerState;
  readonly save: (isLast?: boolean) => void;
};

export type DutyClockOptions = {
  readonly read: () => Reading;
  /** Where the clock is stored between two servers; null if nowhere. */
  readonly place: ClockPlace | null;
  /** When the last entry of the log was recorded; null if there is none, or it isn't needed. */
  readonly recordedAt: number | null;
};

export type ClockPlace = { readonly read: () => string | null; readonly write: (text: string) => void };

type Begun = { readonly began: string; readonly steady: number; readonly isNew: boolean };
type Saved = { readonly clock: SavedClock; readonly begun: readonly (readonly [id: string, began: string, steady: number])[] };

export const createDutyClock = ({ read, place, recordedAt }: DutyClockOptions): DutyClock => {
  const saved = place === null ? null : savedIn(place.read());
  const begun = new Map((saved?.begun ?? []).map(([id, began, steady]): [string, Begun] => [id, { began, steady, isNew: false }]));
  let clock = saved === null ? beginClock(read(), recordedAt) : resumeClock(saved.clock, read()).clock;
  let isStarting = true;
  let isUnsaved = true;
  let savedAt = Number.NEGATIVE_INFINITY;
  let reads = 0;

  const take = ({ clock: next, gained, hasStepped }: Read): void => {
    clock = next;
    if (hasStepped || gained > 0) savedAt = Number.NEGATIVE_INFINITY;
    if (gained === 0) return;
    // The time before this start counts from now on. States that began since weren't there then.
    for (const [id, one] of begun) if (one.isNew) begun.set(id, { ...one, steady: one.steady + gained });
  };

  const now = (): number => {
    reads += 1;
    take(readClock(clock, read()));
    return clock.last.steady;
  };

  /** A state that predates this start and is in no file: its start according to the wall clock, within plausible bounds. */
  const before = (at: number): number => {
    if (saved === null) return Math.min(at, clock.last.steady);
    const { wall, steady } = saved.clock.last;
    return Math.min(Math.max(at - (wall - steady), steady), clock.last.steady);
  };

  return {
    now,
    since: (id, began, at) => {
      const known = begun.get(id);
      if (known?.began === began) return known.steady;
      const steady = isStarting ? before(at) : now();
      begun.set(id, { began, steady, isNew: !isStarting });
      isUnsaved = true;
      return steady;
    },
    forget: (id) => {
      if (begun.delete(id)) isUnsaved = true;
    },
    started: () => {
      isStarting = false;
    },
    state: () => ({ name: 'clock', passes: reads, failure: failureOf(clock) }),
    save: (isLast = false) => {
      const { uptime: at } = clock.last;
      if (place === null || (!isLast && at - savedAt < (isUnsaved ? SAVE_CHANGES : SAVE_ANYWAY))) return;
      const text: Saved = { clock, begun: [...begun].map(([id, { began, steady }]) => [id, began, steady]) };
      place.write(`${JSON.stringify(text)}\n`);
      savedAt = at;
      isUnsaved = false;
    },
  };
};

const failureOf = (clock: SteadyClock): FollowerState['failure'] => {
  const step = stepToTell(clock);
  if (step === null) return null;
  const where = step.by > 0 ? 'forward' : 'back';
  const why = `the system clock was set ${where} by ${spanText(Math.abs(step.by))} while Yarnboard was running`;
  return { why, since: step.since, times: 1 };
};

/** Anything else in its place isn't a clock; then the log is the evidence. */
const savedIn = (text: string | null): Saved | null => {
  if (text === null) return null;
  try {
    const saved = JSON.parse(text) as Saved; // written by us; anything else fails the number checks
    const { anchor, last, gap, step } = saved.clock;
    const numbers = [
      ...[anchor, last].flatMap(({ wall, uptime: up, steady }) => [wall, up, steady]),
      gap?.claimed ?? 0,
      gap?.from ?? 0,
      step?.by ?? 0,
    ];
    const isWhole =
      numbers.every(Number.isFinite) &&
      saved.begun.every(([id, began, at]) => typeof id === 'string' && typeof began === 'string' && Number.isFinite(at));
    return isWhole ? saved : null;
  } catch {
    return null;
  }
};

const clockIn = (path: string): ClockPlace => ({
  read: () => readTextIfThere(path),
  write: (text) => {
    try {
      writePrivateFile(path, text);
    } catch {
      // A stale reading delays deadlines, never hastens them. A full disk is reported by those who lose something.
    }
  },
});

/** The clock of a home on this machine. */
export const openDutyClock = async (home: Pick<Home, 'clockFile'>, log: Pick<LogPort, 'head' | 'entryAt'>): Promise<DutyClock> => {
  return createDutyClock({ read: machineClocks(), place: clockIn(home.clockFile), recordedAt: await lastRecordedAt(log) });
};

const lastRecordedAt = async (log: Pick<LogPort, 'head' | 'entryAt'>): Promise<number | null> => {
  try {
    return (await log.entryAt((await log.head()).count))?.recordedAt ?? null;
  } catch (cause) {
    if (cause instanceof StoreFault) return null; // REC-78: it is away, and nothing is due until it is back
    throw cause;
  }
};

/** LIFE-83: for durations within one process: nobody can set it. It shows what the wall clock would, had nobody changed it since the start. */
export const sinceStart = (): number => performance.timeOrigin + performance.now();

// The uptime continues while the machine sleeps, unlike its monotonic clock.
const machineClocks = (): (() => Reading) => {
  const boot = bootId();
  return () => ({ wall: Date.now(), uptime: uptime() * 1000, boot });
};

const bootId = (): string | null => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null; // not Linux
  }
};

export const spanText = (ms: number): string => {
  const [, size = 1, unit = 'ms'] = UNITS.find(([from]) => ms >= from) ?? [];
  return `${Math.round((ms / size) * 10) / 10} ${unit}`;
};

const DAY = 86_400_000;
const UNITS = [
  [2 * DAY, DAY, 'days'],
  [2 * 3_600_000, 3_600_000, 'h'],
  [2 * 60_000, 60_000, 'min'],
  [1000, 1000, 's'],
] as const;
const SAVE_CHANGES = 10_000;
const SAVE_ANYWAY = 10 * 60_000;
