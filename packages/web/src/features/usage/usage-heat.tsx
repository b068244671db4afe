import type { InsideOutput } from '@yarnboard/protocol';
import type { CSSProperties } from 'react';
import { Scroller } from '../../ui/scroller.tsx';
import { countOf, usdText } from '../../ui/wording.ts';
import { heatOf, weeksOf } from './heat.ts';

type Usage = InsideOutput<'usage'>;

/** PAGE-571: one column per week, one cell per day. It is a table, so that every cell has its number for people who can't see its colour. */
export const DayHeat = ({ days }: { readonly days: Usage['byDay'] }) => {
  const weeks = weeksOf(days);
  const most = Math.max(0, ...days.map(({ responses }) => responses));
  return (
    <Scroller label="Activity by day" className="heat-place">
      <table className="heat">
        <caption className="visually-hidden">Responses by day</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Weekday</span>
            </th>
            {weeks.map(({ first }, n) => (
              <th key={first} scope="col" className="heat-head">
                <span className="visually-hidden">Week of {first}</span>
                <span aria-hidden>{isNewMonth(weeks[n - 1]?.first, first) ? MONTHS.format(new Date(`${first}T00:00:00Z`)) : ''}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((weekday, n) => (
            <tr key={weekday}>
              <th scope="row">{weekday}</th>
              {weeks.map(({ first, days: own }) => {
                const cell = own[n] ?? null;
                return cell === null ? (
                  <td key={first}>
                    <span className="visually-hidden">not in this period</span>
                  </td>
                ) : (
                  <Cell
                    key={first}
                    heat={heatOf(cell.responses, most)}
                    text={`${cell.day}: ${countOf(cell.responses)} responses, ${usdText(cell.costUsd)}`}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
};

/** PAGE-571: one column per hour, one row per weekday, in the browser's time zone. */
export const HourHeat = ({ hours }: { readonly hours: Usage['byWeekHour'] }) => {
  const known = new Map(hours.map((one) => [one.weekday * 24 + one.hour, one]));
  const most = Math.max(0, ...hours.map(({ responses }) => responses));
  return (
    <Scroller label="Activity by hour of the week" className="heat-place">
      <table className="heat">
        <caption className="visually-hidden">Responses by hour of the week</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Weekday</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col" className="heat-head">
                <span className="visually-hidden">{hour}:00</span>
                <span aria-hidden>{hour % 6 === 0 ? hour : ''}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((weekday, day) => (
            <tr key={weekday}>
              <th scope="row">{weekday}</th>
              {HOURS.map((hour) => {
                const one = known.get(day * 24 + hour);
                return (
                  <Cell
                    key={hour}
                    heat={heatOf(one?.responses ?? 0, most)}
                    text={`${weekday} ${hour}:00: ${countOf(one?.responses ?? 0)} responses, ${usdText(one?.costUsd ?? 0)}`}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
};

const Cell = ({ heat, text }: { readonly heat: number; readonly text: string }) => (
  <td className="heat-cell" style={{ '--heat': `${Math.round(heat * 100)}%` } as CSSProperties} title={text}>
    <span className="visually-hidden">{text}</span>
  </td>
);

const isNewMonth = (before: string | undefined, day: string): boolean => before === undefined || before.slice(0, 7) !== day.slice(0, 7);

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const MONTHS = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
