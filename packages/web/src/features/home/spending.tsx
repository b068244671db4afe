import { printableLine } from '@yarnboard/transcript';
import { Table2 } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/now.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { countOf, projectName, usdText } from '../../ui/wording.ts';
import { modelName } from '../sessions/step-words.ts';
import { Answered, Section } from './section.tsx';
import { SeriesTable } from './series-table.tsx';
import { keysOf, lastDays, OTHERS, seriesOf, type Measure, type Series } from './spending-series.ts';
import './spending.css';

const SpendingPlot = lazy(async () => ({ default: (await import('./spending-plot.tsx')).SpendingPlot }));

const SPLITS = ['model', 'project', 'agent'] as const;
type Split = (typeof SPLITS)[number];
const SPANS = ['7', '30', '90'] as const;
type Span = (typeof SPANS)[number];

/** PAGE-49: what was spent and done by day, as plots and as tables. */
export const Spending = () => {
  const [split, setSplit] = useState<Split>('model');
  const [span, setSpan] = useState<Span>('30');
  const [isTable, setIsTable] = useState(false);
  const now = useNow();
  const today = new Date(now).toISOString().slice(0, 10);
  const days = useMemo(() => lastDays(Date.parse(today), Number(span)), [today, span]);
  const stats = useAsk('stats', { since: days[0] ?? today, split }, { keepsPrevious: true, everyMs: 30_000 });
  return (
    <Section
      title="Cost and activity"
      actions={
        <>
          <Segmented
            label="Split by"
            isLabelHidden
            segments={SPLITS.map((value) => ({ value, label: SPLIT_WORDS[value] }))}
            value={split}
            onChange={setSplit}
          />
          <Segmented
            label="Time"
            isLabelHidden
            segments={SPANS.map((value) => ({ value, label: `${value} days` }))}
            value={span}
            onChange={setSpan}
          />
          <Button size="small" variant="quiet" icon={Table2} aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            Tables
          </Button>
        </>
      }
    >
      <Answered query={stats} what="What was spent" lines={5}>
        {({ byDaySplit }) => (
          <div className="spending">
            {MEASURES.map(({ measure, title, textOf }) => (
              <Figure
                key={measure}
                title={title}
                series={named(seriesOf(byDaySplit, measure, days, keysOf(byDaySplit, days)), split)}
                textOf={textOf}
                isTable={isTable}
                split={split}
                span={span}
              />
            ))}
          </div>
        )}
      </Answered>
    </Section>
  );
};

type FigureProps = {
  readonly title: string;
  readonly series: Series;
  readonly textOf: (value: number) => string;
  readonly isTable: boolean;
  readonly split: Split;
  readonly span: Span;
};

const Figure = ({ title, series, textOf, isTable, split, span }: FigureProps) => (
  <figure className="spending-figure card">
    <figcaption className="spending-caption">
      <span className="spending-title">{title}</span>
      <span className="spending-total numbers">{textOf(series.total)}</span>
    </figcaption>
    {isTable ? (
      <SeriesTable series={series} textOf={textOf} caption={`${title} by day and ${split}, the last ${span} days`} />
    ) : (
      <>
        <Suspense fallback={<Skeleton lines={5} label="The plot is being drawn" />}>
          <SpendingPlot series={series} textOf={textOf} label={summary(title, series, textOf, span)} />
        </Suspense>
        <ul className="spending-keys" aria-label={`${title}: what the colours mean`}>
          {series.keys.map((key, n) => (
            <li key={key} className="spending-key">
              <span className="spending-colour" style={{ background: `var(--chart-${n + 1})` }} aria-hidden />
              {key}
            </li>
          ))}
        </ul>
      </>
    )}
  </figure>
);

/** What a plot says to whoever does not see it; the tables say it all. */
const summary = (title: string, { rows, total }: Series, textOf: (value: number) => string, span: Span): string => {
  const most = rows.reduce((best, row) => (row.total > best.total ? row : best), { day: '', total: 0 });
  const peak = most.total === 0 ? 'nothing' : `${textOf(total)}, most on ${most.day} with ${textOf(most.total)}`;
  return `${title}, the last ${span} days: ${peak}. The button "Tables" shows the numbers.`;
};

const named = (series: Series, split: Split): Series => ({ ...series, keys: series.keys.map((key) => nameIn(split, key)) });

const nameIn = (split: Split, key: string): string => {
  if (key === OTHERS) return 'others';
  if (split === 'project') return projectName(key === '' ? null : key);
  if (split === 'model') return modelName(key);
  return key === 'main' ? 'main thread' : printableLine(key);
};

const SPLIT_WORDS = { model: 'Model', project: 'Project', agent: 'Agent' } as const satisfies Record<Split, string>;

const MEASURES: readonly { readonly measure: Measure; readonly title: string; readonly textOf: (value: number) => string }[] = [
  { measure: 'costUsd', title: 'Cost', textOf: usdText },
  { measure: 'responses', title: 'Responses', textOf: (n) => (n === 0 ? '0' : countOf(n)) },
];
