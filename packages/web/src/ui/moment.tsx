import { useNow } from './now.tsx';
import { agoText, momentText } from './wording.ts';

/** When: how long ago, and exactly on hover. Takes milliseconds or ISO 8601. */
export const Moment = ({ at }: { readonly at: number | string | null }) => {
  const now = useNow();
  const ms = typeof at === 'string' ? Date.parse(at) : at;
  if (ms === null || !Number.isFinite(ms)) return <span className="faint">no time</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={momentText(ms)}>
      {agoText(ms, now)}
    </time>
  );
};
