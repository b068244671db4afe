import { useState, type PointerEvent } from 'react';
import { labelledDays, scaleTo } from './plot-scale.ts';
import type { Series } from './spending-series.ts';
import './spending-plot.css';

type SpendingPlotProps = {
  readonly series: Series;
  readonly textOf: (value: number) => string;
  /** The smallest step of the axis, since there is no half response. */
  readonly smallestStep: number;
  readonly label: string;
};

/** PAGE-49: bars by day, one colour per key. The label sums it up; the table has every number. */
export const SpendingPlot = ({ series: { keys, rows }, textOf, smallestStep, label }: SpendingPlotProps) => {
  const [pointed, setPointed] = useState<number | null>(null);
  const { top, ticks } = scaleTo(Math.max(0, ...rows.map(({ total }) => total)), smallestStep);
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(rows.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * rows.length))));
  };
  const row = pointed === null ? undefined : rows[pointed];
  return (
    <div className="spending-plot" role="img" aria-label={label}>
      <div className="spending-axis numbers">
        {ticks.map((tick) => (
          <span key={tick} className="spending-tick" style={{ bottom: percent(tick / top) }}>
            {textOf(tick)}
          </span>
        ))}
      </div>
      <div className="spending-bars" onPointerMove={point} onPointerDown={point} onPointerLeave={() => setPointed(null)}>
        <svg width="100%" height="100%" aria-hidden>
          {ticks.map((tick) => (
            <line key={tick} className="spending-grid" x1="0" x2="100%" y1={percent(1 - tick / top)} y2={percent(1 - tick / top)} />
          ))}
          {rows.map(({ day, values }, n) => (
            <Day key={day} values={values} top={top} x={n / rows.length} width={1 / rows.length} isPointed={n === pointed} />
          ))}
        </svg>
        {row === undefined || pointed === null ? null : <DayCard keys={keys} row={row} textOf={textOf} place={(pointed + 0.5) / rows.length} />}
      </div>
      <div className="spending-days">
        {labelledDays(rows).map((labelled, n) =>
          labelled === null ? null : (
            <span key={labelled.day} className="spending-tick" style={{ left: percent((n + 0.5) / rows.length) }}>
              {dayText(labelled.day)}
            </span>
          ),
        )}
      </div>
    </div>
  );
};

type DayProps = {
  readonly values: readonly number[];
  readonly top: number;
  readonly x: number;
  readonly width: number;
  readonly isPointed: boolean;
};

/** Sizes are shares of the available width: the plot fits any width without measuring, and nothing moves when it is drawn. */
const Day = ({ values, top, x, width, isPointed }: DayProps) => {
  const below = values.map((_, n) => values.slice(0, n).reduce((sum, value) => sum + value, 0));
  return (
    <svg x={percent(x)} width={percent(width)} height="100%">
      {isPointed ? <rect className="spending-pointed" width="100%" height="100%" /> : null}
      {values.map((value, n) =>
        value === 0 ? null : (
          <rect
            key={`chart-${n + 1}`}
            className="spending-bar"
            x="10%"
            width="80%"
            y={percent(1 - ((below[n] ?? 0) + value) / top)}
            height={percent(value / top)}
            fill={`var(--chart-${n + 1})`}
          />
        ),
      )}
    </svg>
  );
};

type DayCardProps = {
  readonly keys: Series['keys'];
  readonly row: Series['rows'][number];
  readonly textOf: (value: number) => string;
  /** The middle of the day, as a share of the plot's width. */
  readonly place: number;
};

/** Beside its day, on the side with more room. */
const DayCard = ({ keys, row, textOf, place }: DayCardProps) => (
  <div className="spending-day" style={place < 0.5 ? { left: percent(place) } : { right: percent(1 - place) }}>
    <p className="spending-day-head">
      <span>{dayText(row.day)}</span>
      <span>{textOf(row.total)}</span>
    </p>
    {keys.map((key, n) => {
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

const percent = (share: number): string => `${share * 100}%`;

/** Days are counted in UTC, and shown in UTC in every time zone. */
const dayText = (day: string): string => DAYS.format(new Date(`${day}T00:00:00Z`));

const DAYS = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
