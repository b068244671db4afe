import type { HourlySpendingRow, LibraryPort, SpendingFilter, SpendingRow, Spent, ToolUseRow } from '@yarnboard/store';
import { addUsage, NO_USAGE } from '@yarnboard/transcript';

export type UsageQuestion = {
  readonly kind: 'usage';
  readonly filter: SpendingFilter;
  /** The offset of hours from UTC, in milliseconds. */
  readonly offset: number;
  readonly now: number;
};

export type UsageFigures = {
  readonly hours: readonly HourlySpendingRow[];
  readonly models: readonly SpendingRow[];
  readonly projects: readonly SpendingRow[];
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly title: string | null;
    readonly project: string | null;
    readonly tool: string;
    readonly spent: Spent;
  }[];
  readonly tools: readonly ToolUseRow[];
  readonly fiveHours: Spent;
  readonly week: Spent;
};

/** USE-1: all figures of a period, with the longest lists cut. */
export const usageFigures = async (library: LibraryPort, { filter, offset, now }: Omit<UsageQuestion, 'kind'>): Promise<UsageFigures> => {
  const spent = await library.spending('session', filter);
  const top = ranked(spent).slice(0, MOST);
  const rows = await library.sessionsById(top.map(({ key }) => key));
  return {
    hours: await library.hourlySpending(offset, filter),
    models: ranked(await library.spending('model', filter)),
    projects: ranked(await library.spending('project', filter)).slice(0, MOST),
    sessions: top.map(({ key, spent: own }) => {
      const row = rows.get(key);
      return { sessionId: key, title: row?.title ?? null, project: row?.project ?? null, tool: row?.tool ?? '', spent: own };
    }),
    tools: (await library.toolUses(filter)).toSorted((a, b) => b.uses - a.uses || (a.name < b.name ? -1 : 1)).slice(0, MOST_TOOLS),
    fiveHours: summed(await library.spending('model', { since: now - 5 * HOUR })),
    week: summed(await library.spending('model', { since: now - 7 * 24 * HOUR })),
  };
};

const ranked = (rows: readonly SpendingRow[]): readonly SpendingRow[] =>
  rows.toSorted((a, b) => b.spent.costNano - a.spent.costNano || b.spent.responses - a.spent.responses || (a.key < b.key ? -1 : 1));

const summed = (rows: readonly SpendingRow[]): Spent =>
  rows.reduce(
    (sum: Spent, { spent }) => ({
      responses: sum.responses + spent.responses,
      usage: addUsage(sum.usage, spent.usage),
      costNano: sum.costNano + spent.costNano,
      unpriced: sum.unpriced + spent.unpriced,
    }),
    { responses: 0, usage: NO_USAGE, costNano: 0, unpriced: 0 },
  );

const MOST = 20;
const MOST_TOOLS = 50;
const HOUR = 3_600_000;
