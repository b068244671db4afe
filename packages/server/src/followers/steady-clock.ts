/**
 * What both clocks show at one moment, in milliseconds. The wall clock can be set; `uptime` counts from the start of the machine and cannot. `boot` tells
 * one start of the machine from another; null where the system does not say.
 */
export type Reading = { readonly wall: number; readonly uptime: number; readonly boot: string | null };

type Anchor = { readonly wall: number; readonly uptime: number; readonly steady: number };

/**
 * A clock that goes on only while the wall clock and the uptime both do, and never goes back. Whatever span it shows has passed by both, but for
 * `SLACK`. It shows the wall's time until the wall clock is set.
 */
export type SteadyClock = {
  /** Since when both clocks agree. */
  readonly anchor: Anchor;
  readonly last: Anchor;
  readonly boot: string | null;
  /** What the wall clock says passed while nobody looked. It counts when the wall clock has held since `from`, by the uptime. */
  readonly gap: { readonly claimed: number; readonly from: number } | null;
  /** How far the wall clock is from where it would be had nobody set it; `since` is what it showed before. */
  readonly step: { readonly by: number; readonly since: number; readonly at: number } | null;
};

/** What a clock leaves behind for the next start. */
export type SavedClock = Pick<SteadyClock, 'anchor' | 'last' | 'boot' | 'gap' | 'step'>;

/** `gained` is the time that is believed to have passed before this start, once it is. */
export type Read = { readonly clock: SteadyClock; readonly gained: number; readonly hasStepped: boolean };

/** The clock of a board whose last entry was recorded then (null: it has none), where none was left behind. The log is the only witness. */
export const beginClock = (reading: Reading, recordedAt: number | null): SteadyClock => {
  const steady = recordedAt ?? reading.wall;
  const anchor = { wall: reading.wall, uptime: reading.uptime, steady };
  return { anchor, last: anchor, boot: reading.boot, gap: gapOf(reading.wall - steady, reading.uptime), step: null };
};

/** Goes on with the clock that the last server left behind. The machine counted on if it was not started anew; if it was, only the wall clock tells. */
export const resumeClock = (saved: SavedClock, reading: Reading): Read => {
  const passed = reading.uptime - saved.last.uptime;
  const isSameBoot =
    passed >= 0 && (saved.boot !== null && reading.boot !== null ? saved.boot === reading.boot : Math.abs(offOf(saved.anchor, reading)) <= SLACK);
  if (isSameBoot) return readClock({ ...saved, boot: reading.boot }, reading);
  const anchor = { wall: reading.wall, uptime: reading.uptime, steady: saved.last.steady };
  const claimed = (saved.gap?.claimed ?? 0) + reading.wall - saved.last.wall;
  return { clock: { anchor, last: anchor, boot: reading.boot, gap: gapOf(claimed, reading.uptime), step: saved.step }, gained: 0, hasStepped: false };
};

/** LIFE-80: goes on by what both clocks say has passed. */
export const readClock = (clock: SteadyClock, reading: Reading): Read => {
  const off = offOf(clock.anchor, reading);
  const hasStepped = Math.abs(off) > SLACK;
  const { wall, uptime } = reading;
  const passed = Math.min(wall - clock.anchor.wall, uptime - clock.anchor.uptime);
  const steady = Math.max(clock.last.steady, clock.anchor.steady + passed);
  const last = { wall, uptime, steady };
  if (!hasStepped) return settled({ ...clock, last }, uptime);
  // What is claimed for the time before this start moves with the wall clock, and has to hold anew.
  const gap = clock.gap === null ? null : { claimed: clock.gap.claimed + off, from: uptime };
  return { clock: { ...clock, anchor: last, last, gap, step: stepOf(clock, off) }, gained: 0, hasStepped: true };
};

/** LIFE-82: what is to be told of the wall clock; null when it is where it should be, or has been where it is for a day. */
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

/** A negative gap is kept: the clock of a machine without a battery comes right only when the network is there. */
const gapOf = (claimed: number, from: number): SteadyClock['gap'] => (Math.abs(claimed) <= SLACK ? null : { claimed, from });

const offOf = (anchor: Anchor, { wall, uptime }: Reading): number => wall - anchor.wall - (uptime - anchor.uptime);

/** Two clocks that are read one after the other, the one in steps of 10 ms, never agree entirely; nor do they while time is slewed. */
export const SLACK = 5000;
/** Long enough for the time to come from the network after a start. */
export const HELD_FOR = 10 * 60_000;
const WORTH_TELLING = 60_000;
const TOLD_FOR = 86_400_000;
