/**
 * Both clocks at one moment, in milliseconds. The wall clock can be set; `uptime` counts from the start of the machine and can't. `boot` identifies
 * the machine's start; null if the system doesn't say.
 */
export type Reading = { readonly wall: number; readonly uptime: number; readonly boot: string | null };

type Anchor = { readonly wall: number; readonly uptime: number; readonly steady: number };

/**
 * A clock that advances only while both the wall clock and the uptime do, and never goes back. Any span it shows has elapsed by both, within `SLACK`.
 * It shows the wall clock's time until that is set.
 */
export type SteadyClock = {
  /** Since when both clocks agree. */
  readonly anchor: Anchor;
  readonly last: Anchor;
  readonly boot: string | null;
  /** The time that elapsed unobserved, according to the wall clock. It counts once the wall clock has been stable since `from`, by the uptime. */
  readonly gap: { readonly claimed: number; readonly from: number } | null;
  /** How far the wall clock has been set; `since` is what it showed before. */
  readonly step: { readonly by: number; readonly since: number; readonly at: number } | null;
};

/** What a clock stores for the next start. */
export type SavedClock = Pick<SteadyClock, 'anchor' | 'last' | 'boot' | 'gap' | 'step'>;

/** `gained` is the accepted time before this start, once it is accepted. */
export type Read = { readonly clock: SteadyClock; readonly gained: number; readonly hasStepped: boolean };

/** A new clock for a board whose last entry was recorded then (null: it has none). The log is the only evidence. */
export const beginClock = (reading: Reading, recordedAt: number | null): SteadyClock => {
  const steady = recordedAt ?? reading.wall;
  const anchor = { wall: reading.wall, uptime: reading.uptime, steady };
  return { anchor, last: anchor, boot: reading.boot, gap: gapOf(reading.wall - steady, reading.uptime), step: null };
};

/** Resumes the clock of the last server. If the machine wasn't restarted, the uptime continued; otherwise only the wall clock can tell. */
export const resumeClock = (saved: SavedClock, reading: Reading): Read => {
  const passed = reading.uptime - saved.last.uptime;
  const isSameBoot =
    passed >= 0 && (saved.boot !== null && reading.boot !== null ? saved.boot === reading.boot : Math.abs(offOf(saved.anchor, reading)) <= SLACK);
  if (isSameBoot) return readClock({ ...saved, boot: reading.boot }, reading);
  const anchor = { wall: reading.wall, uptime: reading.uptime, steady: saved.last.steady };
  const claimed = (saved.gap?.claimed ?? 0) + reading.wall - saved.last.wall;
  return { clock: { anchor, last: anchor, boot: reading.boot, gap: gapOf(claimed, reading.uptime), step: saved.step }, gained: 0, hasStepped: false };
};

/** LIFE-80: advances by what both clocks agree on. */
export const readClock = (clock: SteadyClock, reading: Reading): Read => {
  const off = offOf(clock.anchor, reading);
  const hasStepped = Math.abs(off) > SLACK;
  const { wall, uptime } = reading;
  const passed = Math.min(wall - clock.anchor.wall, uptime - clock.anchor.uptime);
  const steady = Math.max(clock.last.steady, clock.anchor.steady + passed);
  const last = { wall, uptime, steady };
  if (!hasStepped) return settled({ ...clock, last }, uptime);
  // The claimed time before this start moves with the wall clock, and has to be confirmed again.
  const gap = clock.gap === null ? null : { claimed: clock.gap.claimed + off, from: uptime };
  return { clock: { ...clock, anchor: last, last, gap, step: stepOf(clock, off) }, gained: 0, hasStepped: true };
};

/** LIFE-82: a change of the wall clock to report; null if it is right, or has been stable for a day. */
export const stepToTell = ({ step, last }: SteadyClock): { readonly by: number; readonly since: number } | null =>
  step === null || Math.abs(step.by) < WORTH_TELLING || last.steady - step.at > TOLD_FOR ? null : { by: step.by, since: step.since };

const settled = (clock: SteadyClock, uptime: number): Read => {
  const { gap, anchor, last } = clock;
  if (gap === null || uptime - gap.from < HELD_FOR) return { clock, gained: 0, hasStepped: false };
  const gained = Math.max(0, gap.claimed);
  const moved = (one: Anchor): Anchor => ({ ...one, steady: one.steady + gained });
  return { clock: { ...clock, anchor: moved(anchor), last: moved(last), gap: null }, gained, hasStepped: false };
};

const stepOf = ({ step, last }: SteadyClock, off: number): SteadyClock['step'] => {
  const by = (step?.by ?? 0) + off;
  return Math.abs(by) <= 2 * SLACK ? null : { by, since: step?.since ?? last.wall, at: last.steady };
};

/** A negative gap is kept: the clock of a machine without a battery becomes right only when the network is up. */
const gapOf = (claimed: number, from: number): SteadyClock['gap'] => (Math.abs(claimed) <= SLACK ? null : { claimed, from });

const offOf = (anchor: Anchor, { wall, uptime }: Reading): number => wall - anchor.wall - (uptime - anchor.uptime);

/** Two clocks read in succession, one in steps of 10 ms, never agree exactly; nor do they while the time is being slewed. */
export const SLACK = 5000;
/** Long enough to get the time from the network after a start. */
export const HELD_FOR = 10 * 60_000;
const WORTH_TELLING = 60_000;
const TOLD_FOR = 86_400_000;
