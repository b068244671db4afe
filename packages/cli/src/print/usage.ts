import type { OutputOf } from '@yarnboard/protocol';
import { shortIds } from './ids.ts';
import { table } from './table.ts';

type Usage = OutputOf<'usage'>;
type Spent = Usage['total'];

/** Usage: totals, then models, projects, sessions and tools. Cache reads have a column of their own. */
export const printUsage = (
  { total, last_five_hours: five, last_week: week, by_model: models, by_project: projects, sessions, tools }: Usage,
  { columns }: { readonly columns: number },
): string => {
  const layout = { columns, flexible: 0 };
  const shortId = shortIds(sessions.map((one) => one.session_id));
  const spentTable = (name: string, rows: readonly (readonly [string, Spent])[]): string =>
    rows.length === 0
      ? ''
      : `\n${table(
          [name, '>USD', '>responses', '>input', '>output', '>cache writes', '>cache reads'],
          rows.map(([key, spent]) => [key, ...cellsOf(spent)]),
          layout,
        )}`;
  const toolTable =
    tools.length === 0
      ? ''
      : `\n${table(
          ['tool', '>uses', '>errors'],
          tools.map(({ name, uses, errors }) => [name, String(uses), String(errors)]),
          layout,
        )}`;
  return [
    table(
      ['', '>USD', '>responses', '>input', '>output', '>cache writes', '>cache reads'],
      [
        ['this period', ...cellsOf(total)],
        ['last 5 hours', ...cellsOf(five)],
        ['last 7 days', ...cellsOf(week)],
      ],
    ),
    spentTable(
      'model',
      models.map((one) => [one.key, one]),
    ),
    spentTable(
      'project',
      projects.map((one) => [one.key === '' ? 'no project' : one.key, one]),
    ),
    spentTable(
      'session',
      sessions.map((one) => [`${shortId(one.session_id)} ${one.title ?? ''}`, one]),
    ),
    toolTable,
  ].join('');
};

const cellsOf = ({ usage, cost_usd: cost, responses, unpriced }: Spent): readonly string[] => [
  `${cost.toFixed(2)}${unpriced === 0 ? '' : '+'}`,
  String(responses),
  String(usage.input_tokens),
  String(usage.output_tokens),
  String(usage.cache_write_5m_tokens + usage.cache_write_1h_tokens),
  String(usage.cache_read_tokens),
];
