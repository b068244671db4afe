import { printableLine } from '@yarnboard/transcript';
import { Table2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useAsk } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/now.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { countOf, projectName, usdText } from '../../ui/wording.ts';
import { toolName } from '../../shared/tools.ts';
import { modelName } from '../../shared/model-name.ts';
import { Answered, Section } from '../../shared/section.tsx';
import { SeriesTable } from './series-table.tsx';
import { SpendingPlot } from './spending-plot.tsx';
import { keysOf, lastDays, OTHERS, seriesOf, type Measure, type Series } from './spending-series.ts';
import './spending.css';

const SPLITS = ['model', 'project', 'agent', 'tool'] as const;
type Split = (typeof SPLITS)[number];
const SPANS = ['7', '30', '90'] as const;
type Span = (typeof SPANS)[number];

/** PAGE-49: cost and responses by day, as charts and as tables. */
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
            label="Period"
            isLabelHidden
            segments={SPANS.map((value) => ({ value, label: `${value} days` }))}
            value={span}
            onChange={setSpan}
          />
          <Button size="small" variant="quiet" icon={Table2} aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            Tables
          </Button>
          <Link href="/usage" className="button button-quiet button-small">
            <span>Usage</span>
          </Link>
        </>
      }
    >
      <Answered query={stats} what="cost and activity" lines={5}>
        {({ byDaySplit }) => (
          <div className="spending">
            {MEASURES.map(({ measure, title, textOf, smallestStep }) => (
              <Figure
                key={measure}
                title={title}
                series={named(seriesOf(byDaySplit, measure, days, keysOf(byDaySplit, days)), split)}
                textOf={textOf}
                smallestStep={smallestStep}
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
  readonly smallestStep: number;
  readonly isTable: boolean;
  readonly split: Split;
  readonly span: Span;
};

const Figure = ({ title, series, textOf, smallestStep, isTable, split, span }: FigureProps) => (
  <figure className="spending-figure card">
    <figcaption className="spending-caption">
      <span className="spending-title">{title}</span>
      <span className="spending-total numbers">{textOf(series.total)}</span>
    </figcaption>
    {isTable ? (
      <SeriesTable series={series} textOf={textOf} caption={`${title} by day and ${split}, last ${span} days`} />
    ) : (
      <>
        <SpendingPlot series={series} textOf={textOf} smallestStep={smallestStep} label={summary(title, series, textOf, span)} />
        <ul className="spending-keys" aria-label={`${title}: legend`}>
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

/** The chart in a sentence, for screen readers; the tables have every number. */
const summary = (title: string, { rows, total }: Series, textOf: (value: number) => string, span: Span): string => {
  const most = rows.reduce((best, row) => (row.total > best.total ? row : best), { day: '', total: 0 });
  const peak = most.total === 0 ? 'nothing' : `${textOf(total)}, peaking on ${most.day} at ${textOf(most.total)}`;
  return `${title}, last ${span} days: ${peak}. Choose “Tables” for the numbers.`;
};

const named = (series: Series, split: Split): Series => ({ ...series, keys: series.keys.map((key) => nameIn(split, key)) });

const nameIn = (split: Split, key: string): string => {
  if (key === OTHERS) return 'others';
  if (split === 'project') return projectName(key === '' ? null : key);
  if (split === 'model') return modelName(key);
  if (split === 'tool') return toolName(key);
  return key === 'main' ? 'main thread' : printableLine(key);
};

const SPLIT_WORDS = { model: 'Model', project: 'Project', agent: 'Agent', tool: 'Tool' } as const satisfies Record<Split, string>;

type Plotted = { readonly measure: Measure; readonly title: string; readonly textOf: (value: number) => string; readonly smallestStep: number };

const MEASURES: readonly Plotted[] = [
  { measure: 'costUsd', title: 'Cost', textOf: usdText, smallestStep: 0 },
  { measure: 'responses', title: 'Responses', textOf: (n) => (n === 0 ? '0' : countOf(n)), smallestStep: 1 },
];
