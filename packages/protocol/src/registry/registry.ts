import * as z from 'zod';
import { envelopeItem } from '../wire/envelope.ts';
import * as wire from '../wire/schemas.ts';
import { BOARD_OPERATIONS } from '../families/operations.ts';
import type { Operation } from '../operation.ts';
import { cursor, limit, reveal, sessionId } from '../parameters.ts';
import { CHANGE_OPERATIONS } from './change-operations.ts';
import { DAILY_ROUTES } from './daily-routes.ts';
import { SESSION_TOOLS } from '../session-tools.ts';
import { PAGE_OPERATIONS } from './page-operations.ts';
import { RECOVERY_OPERATIONS } from './recovery-operations.ts';
import { RUN_OPERATIONS } from './run-operations.ts';
import { TRACE_OPERATION } from './trace-operation.ts';
import { USAGE_OPERATION } from './usage-operation.ts';

const ref = z.string().min(1).max(4096).describe('a reference such as MSG-12, or a uuid');
const instant = z.iso.datetime({ offset: true }).or(z.iso.date());
const since = instant.optional().describe('2026-01-31 or 2026-01-31T12:00:00Z');
const until = instant.optional().describe('the same; a day counts whole');

const project = z.string().optional().describe('the folder it was done in');

const searchFilters = {
  project,
  session: z.string().optional().describe('a session id, or its first characters'),
  agent: z.string().optional().describe('id of a sub-agent'),
  actor: z.enum(['human', 'agent', 'system']).optional().describe('who said it'),
  tool: z.string().optional().describe('a tool that was used, such as Bash, or the program of the session'),
  session_tool: z.string().optional().describe(`the program of the session: ${SESSION_TOOLS}`),
  model: z.string().optional().describe('which model answered'),
  since,
  until,
  min_cost_usd: z.coerce.number().nonnegative().optional().describe('only answers that cost at least this'),
  has_error: z.stringbool().optional().describe('only what failed, or only what did not'),
};

const standingOnly = z.stringbool().default(false).describe('leave out what was superseded or rejected');

/** Every command and query. HTTP routes and the OpenAPI document are generated from it, so that no door has powers of its own. */
export const REGISTRY = {
  projects: {
    name: 'projects',
    method: 'GET',
    path: '/projects',
    who: 'anyone',
    help: 'All projects, most recent first.',
    input: z.object({ limit, cursor }),
    output: wire.page(wire.project),
  },
  sessions: {
    name: 'sessions',
    method: 'GET',
    path: '/sessions',
    who: 'anyone',
    help: 'Sessions, most recent first, including those not on the log yet.',
    input: z.object({
      project,
      tool: z.string().optional().describe(`only sessions of this program: ${SESSION_TOOLS}`),
      since,
      until,
      quarantined: z.stringbool().default(false).describe('only sessions on the log with lines that could not be read'),
      seats: z.stringbool().default(true).describe('false: without the sessions of agents that have a runtime'),
      hidden: z.stringbool().default(false).describe('true: also sessions that the operator has hidden'),
      pinned: z.stringbool().default(false).describe('only sessions that the operator has pinned'),
      tag: z.string().min(1).max(500).optional().describe('only sessions with this tag'),
      limit,
      cursor,
    }),
    output: wire.page(wire.session),
    terminal: { words: ['session', 'list'], given: [] },
  },
  session: {
    name: 'session',
    method: 'GET',
    path: '/sessions/{id}',
    who: 'anyone',
    help: 'One session with its shape: roots, tools, branch points, active path, compactions.',
    input: z.object({ id: sessionId, trail: z.stringbool().default(false).describe('whether to include how its main thread is linked') }),
    output: wire.sessionDetail,
    terminal: { words: ['session', 'show'], given: ['id'] },
  },
  messages: {
    name: 'messages',
    method: 'GET',
    path: '/sessions/{id}/messages',
    who: 'anyone',
    help: 'A session’s messages in order, with tool uses and results as messages of their own.',
    input: z.object({
      id: sessionId,
      thread: z.string().default('main').describe('main, all, or the agent_id of a sidechain'),
      operations: z.stringbool().default(true).describe('whether tool uses and results are listed as messages'),
      limit,
      cursor,
      reveal,
    }),
    output: z.strictObject({ messages: z.array(wire.message), next_cursor: z.string().nullable() }),
  },
  tree: {
    name: 'tree',
    method: 'GET',
    path: '/sessions/{id}/tree',
    who: 'anyone',
    help: 'The nodes of a session with their parents.',
    input: z.object({ id: sessionId, limit, cursor }),
    output: wire.page(wire.treeNode),
  },
  merges: {
    name: 'merges',
    method: 'GET',
    path: '/sessions/{id}/merges',
    who: 'anyone',
    help: 'What sidebars merged into a session, in order, each with the record it follows.',
    input: z.object({ id: sessionId, limit, cursor }),
    output: wire.page(wire.placedExchange),
  },
  operations: {
    name: 'operations',
    method: 'GET',
    path: '/sessions/{id}/operations',
    who: 'anyone',
    help: 'The tool operations of a session, each with its result, grouped under the assistant text before it.',
    input: z.object({ id: sessionId, limit, cursor, reveal }),
    output: wire.page(wire.operation),
  },
  sidechains: {
    name: 'sidechains',
    method: 'GET',
    path: '/sessions/{id}/sidechains',
    who: 'anyone',
    help: 'The sub-agents of a session: which call started them, how deep, how they ended.',
    input: z.object({ id: sessionId, limit, cursor }),
    output: wire.page(wire.sidechain),
  },
  branches: {
    name: 'branches',
    method: 'GET',
    path: '/sessions/{id}/branches',
    who: 'anyone',
    help: 'Where the session branches, and which child is active.',
    input: z.object({ id: sessionId, limit, cursor }),
    output: wire.page(wire.branch),
  },
  envelopes: {
    name: 'envelopes',
    method: 'GET',
    path: '/sessions/{id}/envelopes',
    who: 'anyone',
    help: 'The session as protocol envelopes, in order: turns, texts, tool calls, sub-agents.',
    input: z.object({
      id: sessionId,
      after_seq: z.coerce.number().int().min(0).optional().describe('only envelopes from log entries after this position'),
      limit,
      cursor,
      reveal,
    }),
    output: wire.page(envelopeItem),
  },
  message: {
    name: 'message',
    method: 'GET',
    path: '/messages/{ref}',
    who: 'anyone',
    help: 'One message by MSG-n, MSG-n#i (its i-th operation, counting from 1) or uuid.',
    input: z.object({
      ref,
      session: sessionId.optional().describe('the session to look for a uuid in: forks repeat uuids, and messages not on the log yet have no number'),
      reveal,
    }),
    output: wire.message,
  },
  reference: {
    name: 'reference',
    method: 'GET',
    path: '/refs/{ref}',
    who: 'anyone',
    help: 'What a reference points to: where, when and by whom it was made.',
    input: z.object({ ref, reveal }),
    output: wire.reference,
  },
  references: {
    name: 'references',
    method: 'GET',
    path: '/refs',
    who: 'anyone',
    help: 'References that continue what you have typed, with the beginning of what they stand for.',
    input: z.object({
      typed: z.string().min(1).max(200).describe('MSG-1, GOLD-retry, SB-, SCRATCH-4:FINDING-'),
      near: z.string().min(1).max(200).optional().describe('a session or sidebar; what is from there comes first'),
      limit: z.coerce.number().int().min(1).max(50).default(10).describe('at most 50'),
    }),
    output: z.strictObject({ items: z.array(z.strictObject({ ref: z.string(), words: z.string() })) }),
    terminal: { words: ['cite', 'suggest'], given: ['typed'] },
  },
  ...CHANGE_OPERATIONS,
  ...TRACE_OPERATION,
  search: {
    name: 'search',
    ...DAILY_ROUTES.search,
    who: 'anyone',
    help: 'Searches everything that was said: words, "phrases", code, misspellings and plain questions.',
    input: z.object({
      q: z.string().min(1).max(4096).describe('words; "in quotes" as a phrase'),
      mode: z
        .enum(['words', 'semantic', 'hybrid'])
        .default('hybrid')
        .describe('by words, by meaning, or by both: hybrid (the default) adds meaning to questions in plain words'),
      ...searchFilters,
      standing: standingOnly,
      limit: limit.default(20),
      cursor,
      reveal,
    }),
    output: wire.searchAnswer,
  },
  similar: {
    name: 'similar',
    ...DAILY_ROUTES.similar,
    who: 'anyone',
    help: 'More like this one: what was written elsewhere that means nearly the same, the nearest first.',
    input: z.object({
      ref,
      standing: standingOnly,
      limit: z.coerce.number().int().min(1).max(100).default(10).describe('how many, at most 100'),
    }),
    output: wire.similarAnswer,
  },
  stats: {
    name: 'stats',
    method: 'GET',
    path: '/stats',
    who: 'anyone',
    help: 'Totals, and spending by day, model, project and kind of sub-agent.',
    input: z.object({
      since,
      until,
      split: z.enum(['model', 'project', 'agent', 'tool']).optional().describe('also splits each day by these'),
    }),
    output: wire.stats,
  },
  ...USAGE_OPERATION,
  integrity: {
    name: 'integrity',
    method: 'GET',
    path: '/integrity',
    who: 'anyone',
    help: 'Checks the library against the rules of a sound conversation.',
    input: z.object({ session: z.string().optional().describe('only this one: a session id, or its first characters') }),
    output: wire.integrity,
  },
  log: {
    name: 'log',
    method: 'GET',
    path: '/log',
    who: 'anyone',
    help: 'Entries of the log after a position, in order.',
    input: z.object({ after: z.coerce.number().int().min(0).default(0).describe('a position on the log'), limit, cursor, reveal }),
    output: wire.page(wire.logEntry),
  },
  verify: {
    name: 'verify',
    ...DAILY_ROUTES.verify,
    who: 'anyone',
    help: 'Verifies the chain, all payloads and the signed checkpoints; names the first broken entry.',
    input: z.object({
      deep: z
        .stringbool()
        .default(false)
        .describe('also checks the database, the library, the search index and media; takes as long as rebuilding; the operator only'),
    }),
    output: wire.verdict,
  },
  status: {
    name: 'status',
    ...DAILY_ROUTES.status,
    who: 'anyone',
    help: 'What the server is doing.',
    input: z.object({}),
    output: wire.status,
  },
  launches: {
    name: 'launches',
    method: 'GET',
    path: '/launches',
    who: 'anyone',
    help: 'Recent `yarnboard claude` terminals, newest first: which session each is in, and how it ended.',
    input: z.object({ limit, cursor }),
    output: wire.page(wire.launch),
  },
  ...PAGE_OPERATIONS,
  ...RUN_OPERATIONS,
  ...RECOVERY_OPERATIONS,
  ...BOARD_OPERATIONS,
  import: {
    name: 'import',
    method: 'POST',
    path: '/import',
    who: 'operator',
    help: 'Imports files or folders from this machine, once.',
    input: z.object({ paths: z.array(z.string().min(1)).min(1).max(1000).describe('absolute paths') }),
    output: wire.importCounts,
  },
  forget: {
    name: 'forget',
    method: 'POST',
    path: '/forget',
    who: 'operator',
    help: 'Deletes an entry’s payload for good; its hash stays, so the chain still verifies.',
    input: z.object({ ref: z.string().min(1).describe('MSG-n, a uuid, or the payload hash') }),
    output: z.strictObject({ payload_hash: z.string(), position: z.number().int().describe('of the entry that says so') }),
  },
  rebuild: {
    name: 'rebuild',
    method: 'POST',
    path: '/rebuild',
    who: 'operator',
    help: 'Rebuilds the library and the search index from the log.',
    input: z.object({ session: z.string().optional().describe('only this one: a session id, or its first characters') }),
    output: z.strictObject({ entries: z.number().int() }),
  },
  repair: {
    name: 'repair',
    method: 'POST',
    path: '/repair',
    who: 'operator',
    help: 'Backs up, re-derives a session, appends missing lines and verifies.',
    input: z.object({ session: sessionId }),
    output: z.strictObject({
      backup: z.string().nullable(),
      rebuilt: z.number().int(),
      added: z.number().int(),
      verdict: wire.verdict,
      integrity: wire.integrity,
    }),
  },
  backup: {
    name: 'backup',
    method: 'POST',
    path: '/backup',
    who: 'operator',
    help: 'Writes a complete, consistent copy of the board to a file.',
    input: z.object({ path: z.string().min(1).describe('of the file to write, which must not exist') }),
    output: z.strictObject({ path: z.string(), bytes: z.number().int() }),
  },
  stop: {
    name: 'stop',
    method: 'POST',
    path: '/stop',
    who: 'operator',
    help: 'Stops the server once everything it accepted is on the log. An announced stop can be cancelled.',
    input: z.object({
      countdown_seconds: z.number().int().min(0).max(3600).default(0).describe('how long before the stop everyone connected is warned'),
      message: z.string().min(1).max(1000).optional().describe('the message they get'),
      if_connected: z.boolean().optional().describe('true: counts down only if a WebSocket client is connected'),
      cancel: z.boolean().optional().describe('true: cancels an announced stop'),
    }),
    output: z.strictObject({
      stopping: z.boolean(),
      countdown_seconds: z.number().int().describe('how long until it stops'),
      connected: z.number().int().describe('how many were told'),
    }),
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof REGISTRY;
export type InputOf<N extends OperationName> = z.output<(typeof REGISTRY)[N]['input']>;
export type OutputOf<N extends OperationName> = z.output<(typeof REGISTRY)[N]['output']>;
