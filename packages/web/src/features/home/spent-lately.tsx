import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { useNow } from '../../ui/now.tsx';
import { usdText } from '../../ui/wording.ts';
import { lastDays } from './spending-series.ts';

/** PAGE-184: recent spending, at the top. */
export const SpentLately = () => {
  const today = new Date(useNow()).toISOString().slice(0, 10);
  const days = lastDays(Date.parse(today), 7);
  const { data } = useAsk('stats', { since: days[0] ?? today, split: 'model' }, { keepsPrevious: true, everyMs: 30_000 });
  if (data === undefined) return null;
  const since = (first: string): number => data.byDaySplit.reduce((sum, { day, costUsd }) => (day >= first ? sum + costUsd : sum), 0);
  return (
    <Link href="/usage" className="home-spent numbers">
      <span>
        {usdText(since(today))} <span className="soft">today</span>
      </span>
      <span>
        {usdText(since(days[0] ?? today))} <span className="soft">in 7 days</span>
      </span>
    </Link>
  );
};
