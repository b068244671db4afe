import type { Urgency } from '@yarnboard/protocol';

export type Warning = { readonly message: string; readonly countdownSeconds: number; readonly urgency: Urgency; readonly cancelled?: true };

/** WIRE-27: an announced stop. It is sent at once, and again when little time is left. */
export type Countdown = {
  readonly start: (message: string, seconds: number) => void;
  readonly tick: () => void;
  /** Cancels an announced stop, if there is one. */
  readonly callOff: () => void;
  /** What to send now; null if no stop was announced. */
  readonly warning: () => Warning | null;
};

export const createCountdown = (now: () => number, tell: (warning: Warning) => void): Countdown => {
  let going: { readonly message: string; readonly endsAt: number; marks: readonly number[] } | null = null;

  const warning = (): Warning | null => {
    if (going === null) return null;
    const left = secondsLeft(going.endsAt);
    return { message: going.message, countdownSeconds: left, urgency: urgencyOf(left) };
  };

  const secondsLeft = (endsAt: number): number => Math.max(0, Math.ceil((endsAt - now()) / 1000));

  const say = (): void => {
    const next = warning();
    if (next !== null) tell(next);
  };

  return {
    start: (message, seconds) => {
      going = { message, endsAt: now() + seconds * 1000, marks: MARKS.filter((mark) => mark < seconds) };
      say();
    },
    tick: () => {
      if (going === null) return;
      const left = secondsLeft(going.endsAt);
      const marks = going.marks.filter((mark) => mark < left);
      if (marks.length === going.marks.length) return;
      // Several marks may have passed since the last look: they make one warning.
      going.marks = marks;
      say();
    },
    callOff: () => {
      if (going === null) return;
      going = null;
      tell({ message: 'the stop was called off', countdownSeconds: 0, urgency: 'low', cancelled: true });
    },
    warning,
  };
};

export const urgencyOf = (seconds: number): Urgency => (seconds <= 10 ? 'high' : seconds <= 60 ? 'normal' : 'low');

const MARKS = [60, 30, 10, 5];
