import type { InputOf } from '@yarnboard/protocol';
import type { Spent } from '@yarnboard/store';
import { addUsage, NO_USAGE } from '@yarnboard/transcript';
import { spendingView, timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { instantOf } from './request/cursor.ts';
import type { Count } from './request/questions.ts';

export type UsageNeeds = { readonly count: Count; readonly now: () => number };

/** USE-1: usage in a period, from the library's rows without reading any session. */
export const showUsage = async ({ count, now: clock }: UsageNeeds, input: InputOf<'usage'>, signal: AbortSignal): Answer<'usage'> => {
  const offset = input.utc_offset * MINUTE;
  // A day is a day in the caller's time zone.
  const dayAt = (text: string, isEnd: boolean): number => instantOf(text, isEnd) - (/^\d{4}-\d{2}-\d{2}$/u.test(text) ? offset : 0);
  const filter = {
    ...(input.since === undefined ? {} : { since: dayAt(input.since, false) }),
    ...(input.until === undefined ? {} : { until: dayAt(input.until, true) }),
  };
  // Callers within the same minute share the answer.
  const now = Math.floor(clock() / MINUTE) * MINUTE;
  const { hours, models, projects, sessions, tools, fiveHours, week } = await count({ kind: 'usage', filter, offset, now }, signal);
  const days = new Map<string, Spent>();
  const weekHours = new Map<number, Spent>();
  let total = NOTHING;
  for (const { hour, spent } of hours) {
    const at = new Date(hour * HOUR); // the offset is already added, so read it as UTC
    const day = at.toISOString().slice(0, 10);
    const cell = ((at.getUTCDay() + 6) % 7) * 24 + at.getUTCHours();
    days.set(day, added(days.get(day) ?? NOTHING, spent));
    weekHours.set(cell, added(weekHours.get(cell) ?? NOTHING, spent));
    total = added(total, spent);
  }
  const keyed = (rows: readonly { readonly key: string; readonly spent: Spent }[]) => rows.map(({ key, spent }) => ({ key, ...spendingView(spent) }));
  return {
    total: spendingView(total),
    byDay: [...days].map(([day, spent]) => ({ day, ...spendingView(spent) })),
    byWeekHour: [...weekHours]
      .toSorted(([a], [b]) => a - b)
      .map(([cell, spent]) => ({ weekday: Math.floor(cell / 24), hour: cell % 24, ...spendingView(spent) })),
    byModel: keyed(models),
    byProject: keyed(projects),
    sessions: sessions.map(({ sessionId, title, project, tool, spent }) => ({ sessionId, title, project, tool, ...spendingView(spent) })),
    tools,
    lastFiveHours: { since: timeOf(now - FIVE_HOURS) ?? '', ...spendingView(fiveHours) },
    lastWeek: { since: timeOf(now - WEEK) ?? '', ...spendingView(week) },
  };
};

const added = (a: Spent, b: Spent): Spent => ({
  responses: a.responses + b.responses,
  usage: addUsage(a.usage, b.usage),
  costNano: a.costNano + b.costNano,
  unpriced: a.unpriced + b.unpriced,
});

const NOTHING: Spent = { responses: 0, usage: NO_USAGE, costNano: 0, unpriced: 0 };
const MINUTE = 60_000;
const HOUR = 3_600_000;
const FIVE_HOURS = 5 * HOUR;
const WEEK = 7 * 24 * HOUR;
