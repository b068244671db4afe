import { memo } from 'react';
import { useNow } from './now.tsx';
import { agoText, clockText, momentText } from './wording.ts';

/** A relative time, with the exact one on hover. Takes milliseconds or ISO 8601. */
export const Moment = memo(({ at }: { readonly at: number | string | null }) => {
  const now = useNow();
  const ms = typeof at === 'string' ? Date.parse(at) : at;
  if (ms === null || !Number.isFinite(ms)) return <span className="faint">no time</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={momentText(ms)}>
      {agoText(ms, now)}
    </time>
  );
});

/** The time of day, with the full date on hover. */
export const ClockTime = memo(({ at }: { readonly at: string }) => {
  const ms = Date.parse(at);
  if (!Number.isFinite(ms)) return null;
  return (
    <time dateTime={new Date(ms).toISOString()} title={momentText(ms)} className="numbers">
      {clockText(ms)}
    </time>
  );
});
