import { dayText } from '../../ui/wording.ts';
import type { Step } from './flow-pages.ts';

/** PAGE-154: the day a step begins, if the step before was on another day; null if it is the same day or a time is missing. */
export const dayBegun = (step: Step, before: Step | null, isFirst: boolean): string | null => {
  const at = dayOf(step);
  if (at === null) return null;
  if (before === null) return isFirst ? at : null;
  const day = dayOf(before);
  return day === null || day === at ? null : at;
};

const dayOf = ({ timestamp }: Step): string | null => {
  const ms = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return Number.isFinite(ms) ? dayText(ms) : null;
};

/** Part of the row itself, so that the list needs no extra row for it. */
export const DayLine = ({ day }: { readonly day: string }) => (
  <p className="flow-day">
    <span>{day}</span>
  </p>
);
