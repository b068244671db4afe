import type { SessionDelta } from './rows.ts';
import { SPENT, spentValues } from './spending.ts';

// What both databases write when a session or an agent grows: sums are added up, first values stay, last values are replaced.

export const SESSION_SUMS = [
  'entries',
  'bytes',
  'messages',
  'copied',
  'exchanges',
  'tool_uses',
  'tool_results',
  'errors',
  'compactions',
  'quarantined',
  'companions',
  'takebacks',
  ...SPENT,
] as const;

export const SESSION_FIRSTS = ['project', 'first_prompt', 'first_command', 'forked_from'] as const;
export const SESSION_LASTS = ['custom_title', 'ai_title', 'in_tool'] as const;

/** The times, positions and sums of a session, in the order of the columns. */
export const growthValues = (delta: SessionDelta): readonly (number | null)[] => [
  delta.firstAt,
  delta.lastAt,
  delta.firstPosition,
  delta.lastPosition,
  delta.entries,
  delta.bytes,
  delta.messages,
  delta.copied,
  delta.exchanges,
  delta.toolUses,
  delta.toolResults,
  delta.errors,
  delta.compactions,
  delta.quarantined,
  delta.companions,
  delta.takebacks,
  ...spentValues(delta.spent),
];

export const AGENT_SUMS = ['messages', 'copied', 'tool_uses', ...SPENT] as const;

export const added = (columns: readonly string[], table: string): string =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

/** First values stay, last values are replaced. */
export const SESSION_TEXTS = [
  ...SESSION_FIRSTS.map((column) => `${column} = coalesce(sessions.${column}, excluded.${column})`),
  ...SESSION_LASTS.map((column) => `${column} = coalesce(excluded.${column}, sessions.${column})`),
  'versions = excluded.versions',
  'models = excluded.models',
].join(', ');

/** A list with new values appended, in order of appearance. */
export const united = (before: string | undefined, more: readonly string[]): string =>
  JSON.stringify([...new Set([...(before === undefined ? [] : (JSON.parse(before) as readonly string[])), ...more])]); // we wrote it
