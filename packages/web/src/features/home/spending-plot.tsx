import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Series } from './spending-series.ts';
import './spending-plot.css';

type SpendingPlotProps = { readonly series: Series; readonly textOf: (value: number) => string; readonly label: string };

/** Bars by day, one colour for each key. What it shows stands in its label and in the table. */
export const SpendingPlot = ({ series, textOf, label }: SpendingPlotProps) => {
  const data = series.rows.map(({ day, values }) => ({ day, values }));
  return (
    <div className="spending-plot" role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={data} margin={{ top: 8, right: 4, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="day" tickFormatter={dayText} tickLine={false} axisLine={{ stroke: 'var(--line)' }} minTickGap={24} />
          <YAxis width={56} tickFormatter={textOf} tickLine={false} axisLine={false} allowDecimals tickCount={4} />
          <Tooltip cursor={{ fill: 'var(--surface-hover)' }} isAnimationActive={false} content={<DayCard series={series} textOf={textOf} />} />
          {series.keys.map((key, n) => (
            <Bar
              key={key}
              dataKey={(row: { readonly values: readonly number[] }) => row.values[n] ?? 0}
              name={key}
              stackId="day"
              fill={`var(--chart-${n + 1})`}
              maxBarSize={28}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
};

type DayCardProps = {
  readonly series: Series;
  readonly textOf: (value: number) => string;
  /** Given by the plot: whether the pointer is on a day, and which. */
  readonly active?: boolean;
  readonly label?: string;
};

const DayCard = ({ series, textOf, active = false, label = '' }: DayCardProps) => {
  const row = active ? series.rows.find(({ day }) => day === label) : undefined;
  if (row === undefined) return null;
  return (
    <div className="spending-day">
      <p className="spending-day-head">
        <span>{dayText(row.day)}</span>
        <span>{textOf(row.total)}</span>
      </p>
      {series.keys.map((key, n) => {
        const value = row.values[n] ?? 0;
        return value === 0 ? null : (
          <p key={key} className="spending-day-line">
            <span className="spending-colour" style={{ background: `var(--chart-${n + 1})` }} />
            <span>{key}</span>
            <span className="numbers">{textOf(value)}</span>
          </p>
        );
      })}
    </div>
  );
};

/** Days are counted in UTC, and told so whatever zone one is in. */
const dayText = (day: string): string => new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
