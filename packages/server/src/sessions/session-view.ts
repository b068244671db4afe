import { errorsIn, formatInstant, isMessage, titleOf } from '@yarnboard/transcript';
import type { Inside, OutputOf } from '@yarnboard/protocol';
import type { SessionRow, Spent } from '@yarnboard/store';
import type { PendingSession } from '../ingest/ingest.ts';
import { spentAt, type PendingReading } from './pending-reading.ts';

type SessionView = Inside<OutputOf<'sessions'>>['items'][number];
type SpendingView = Pick<SessionView, 'responses' | 'usage' | 'costUsd' | 'unpriced'>;

export const timeOf = (instant: number | null): string | null => (instant === null ? null : formatInstant(instant));

/** Not rounded: the figures of single messages must add up to the figure of their session (API-8). */
export const usdOf = (nano: number): number => nano / 1e9;

export const spendingView = ({ responses, usage, costNano, unpriced }: Spent): SpendingView => ({
  responses,
  usage: usageView(usage),
  costUsd: usdOf(costNano),
  unpriced,
});

export const usageView = (usage: Spent['usage']): SpendingView['usage'] => ({
  inputTokens: usage.input,
  outputTokens: usage.output,
  cacheWrite5mTokens: usage.cacheWrite5m,
  cacheWrite1hTokens: usage.cacheWrite1h,
  cacheReadTokens: usage.cacheRead,
});

export const sessionView = (row: SessionRow, firstRef: string | null): SessionView => ({
  sessionId: row.sessionId,
  tool: row.tool,
  project: row.project,
  title: row.title,
  state: 'imported',
  startedAt: timeOf(row.firstAt),
  endedAt: timeOf(row.lastAt),
  ref: firstRef,
  messages: row.messages,
  copied: row.copied,
  exchanges: row.exchanges,
  entries: row.entries,
  bytes: row.bytes,
  toolUses: row.toolUses,
  toolResults: row.toolResults,
  errors: row.errors,
  compactions: row.compactions,
  quarantined: row.quarantined,
  sidechains: row.sidechains,
  versions: row.versions,
  models: row.models,
  continues: row.continues,
  ...(row.inTool === null || row.inTool === 'there' ? {} : { inTool: row.inTool }),
  ...spendingView(row.spent),
});

/** A session that is only in its files: listed at once, counted after its import. */
export const pendingView = ({ group, outline }: PendingSession): SessionView => ({
  sessionId: group.sessionId,
  tool: group.files[0]?.dialect ?? '',
  project: outline.project,
  title: group.title ?? outline.title,
  state: 'pending',
  startedAt: Number.isFinite(outline.firstAt) ? timeOf(outline.firstAt) : null,
  endedAt: Number.isFinite(outline.lastAt) ? timeOf(outline.lastAt) : null,
  ref: null,
  messages: 0,
  copied: 0,
  exchanges: 0,
  entries: 0,
  bytes: group.bytes,
  toolUses: 0,
  toolResults: 0,
  errors: 0,
  compactions: 0,
  quarantined: 0,
  sidechains: group.files.filter((file) => file.agentId !== null).length,
  versions: outline.version === null ? [] : [outline.version],
  models: [],
  continues: null,
  responses: 0,
  usage: usageView({ input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 }),
  costUsd: 0,
  unpriced: 0,
});

/** The same with counts from its files. What it shares with other sessions is known after its import. */
export const openedView = (pending: PendingSession, reading: PendingReading): SessionView => {
  const { session, rows } = reading;
  const nodes = rows.map(({ node }) => node);
  const models = new Set(nodes.flatMap((node) => (node.entry.usage === null ? [] : (node.entry.model ?? []))));
  const sum = (count: (node: (typeof nodes)[number]) => number): number => nodes.reduce((total, node) => total + count(node), 0);
  return {
    ...pendingView(pending),
    title: titleOf(session),
    project: nodes.find((node) => node.entry.cwd !== null)?.entry.cwd ?? pending.outline.project,
    startedAt: Number.isFinite(session.firstAt) ? timeOf(session.firstAt) : null,
    endedAt: Number.isFinite(session.lastAt) ? timeOf(session.lastAt) : null,
    messages: session.main.nodes.filter((node) => isMessage(node.entry)).length,
    exchanges: session.main.nodes.filter((node) => node.entry.role === 'prompt').length,
    toolUses: sum((node) => node.entry.uses.length),
    toolResults: sum((node) => node.entry.results.length),
    errors: sum((node) => errorsIn(node.entry)),
    compactions: session.main.nodes.filter((node) => node.entry.more?.compaction != null).length,
    quarantined: reading.quarantined,
    sidechains: new Set(rows.flatMap(({ node, row }) => (row.agentId !== null && isMessage(node.entry) ? [row.agentId] : []))).size,
    versions: [...session.versions],
    models: [...models],
    ...spendingView(spentAt(reading.responseAt, nodes)),
  };
};
