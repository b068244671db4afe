import { Scroller } from '../../ui/scroller.tsx';
import type { Series } from './spending-series.ts';
import './series-table.css';

type SeriesTableProps = { readonly series: Series; readonly textOf: (value: number) => string; readonly caption: string };

/** The numbers behind a chart, latest day first, without empty days. */
export const SeriesTable = ({ series, textOf, caption }: SeriesTableProps) => {
  const rows = series.rows.filter(({ total }) => total > 0).toReversed();
  if (rows.length === 0) return <p className="small soft">No activity in this period.</p>;
  return (
    <Scroller label={caption} className="series-table-place">
      <table className="series-table numbers">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.keys.map((key) => (
              <th key={key} scope="col">
                {key}
              </th>
            ))}
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ day, values, total }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {values.map((value, n) => (
                <td key={series.keys[n]}>{value === 0 ? <span className="faint">–</span> : textOf(value)}</td>
              ))}
              <td>{textOf(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
};
