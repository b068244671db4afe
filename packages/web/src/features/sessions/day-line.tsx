import { dayText } from '../../ui/wording.ts';
import type { Step } from './flow-pages.ts';

/** PAGE-154: the day that begins with a step, where it is another than that of the step before; null where it is the same, or nobody knows. */
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

/** A part of the row it stands in: what is drawn row by row stays a row. */
export const DayLine = ({ day }: { readonly day: string }) => (
  <p className="flow-day">
    <span>{day}</span>
  </p>
);
