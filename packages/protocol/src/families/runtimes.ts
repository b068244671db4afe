import { agentIdOf, BUDGETS, REACHES, RESPONSES } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, limit } from '../parameters.ts';
import { page } from '../wire/schemas.ts';
import * as seats from '../wire/seats.ts';
import { done } from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { command, prose, reason, sidebarId, word } from './parameters.ts';
import { here } from './told-values.ts';

const agentId = z.string().min(1).max(200).describe('AGENT-name, or the name');
const amount = z.number().min(0).max(1e12);
const seatInput = { ...command, sidebar_id: sidebarId, agent_id: agentId, reason: reason.optional() };

/** What makes agents act by themselves, and what their seats do. */
export const RUNTIME_OPERATIONS = {
  runtimes: {
    name: 'runtimes',
    method: 'GET',
    path: '/runtimes',
    who: 'anyone',
    help: 'The runtimes in settings.json: what they are, whether they can run, and which agents use them.',
    input: z.object({}),
    output: seats.runtimes,
    terminal: { words: ['agent', 'runtimes'], given: [] },
  },
  seats: {
    name: 'seats',
    method: 'GET',
    path: '/seats',
    who: 'anyone',
    help: 'The seats of agents with a runtime: what each is doing, how many turns it took, and what it has spent.',
    input: z.object({ agent_id: agentId.optional(), sidebar_id: sidebarId.optional(), limit, cursor }),
    output: page(seats.seat),
    terminal: { words: ['agent', 'seats'], given: [], isForServer: true },
  },
  seat: {
    name: 'seat',
    method: 'GET',
    path: '/seats/{sidebar_id}/{agent_id}',
    who: 'anyone',
    help: 'One seat: what it is doing, what it has spent, and the session with its transcript.',
    input: z.object({ sidebar_id: sidebarId, agent_id: agentId }),
    output: seats.seat,
    terminal: { words: ['agent', 'seat'], given: ['agent_id', 'sidebar_id'] },
  },
  briefing: {
    name: 'briefing',
    method: 'GET',
    path: '/seats/{sidebar_id}/{agent_id}/briefings',
    who: 'anyone',
    help: 'What a seat was given to read, turn by turn: references, position, size and hash, and the latest as text.',
    input: z.object({ sidebar_id: sidebarId, agent_id: agentId, limit, cursor }),
    output: seats.briefings,
    terminal: { words: ['agent', 'briefing'], given: ['agent_id', 'sidebar_id'] },
  },
  agent_runtime: {
    name: 'agent_runtime',
    method: 'POST',
    path: '/agents/{agent_id}/runtime',
    who: 'operator',
    help: 'Makes an agent act on its own: its runtime from settings.json, model, instructions, what it responds to, and how far it can look.',
    input: z.object({
      ...command,
      agent_id: agentId,
      runtime: word.nullable().optional().describe('a runtime’s name in settings.json; null removes it'),
      model: word.nullable().optional().describe('a model other than the runtime’s default'),
      instructions: prose.nullable().optional().describe('instructions for the agent about itself'),
      responds_to: z.enum(RESPONSES).optional().describe('what it acts on: messages meant for it, or everything said in its sidebars'),
      reach: z.enum(REACHES).optional().describe('what it may look up: its sidebar, or the whole board'),
    }),
    output: done,
    terminal: { words: ['agent', 'runtime'], given: ['agent_id'], isForServer: true },
    command: 'agent.equip',
    lost: 'it decides what runs on this machine, so whoever asked should see it happen',
  },
  agents_rest: {
    name: 'agents_rest',
    method: 'POST',
    path: '/rest',
    who: 'operator',
    help: 'Pauses one agent with a runtime, or all of them: turns are cancelled, and none starts until you resume them.',
    input: z.object({
      ...command,
      agent_id: agentId.optional(),
      resting: z.boolean().default(true).describe('false resumes them'),
      reason: reason.optional(),
    }),
    output: done,
    terminal: { words: ['agent', 'rest'], given: ['agent_id'], isForServer: true },
    command: 'agents.rest',
    lost: 'it is meant for now and would surprise everyone later',
  },
  seat_cancel: {
    name: 'seat_cancel',
    method: 'POST',
    path: '/seats/cancel',
    who: 'member',
    help: 'Cancels a seat’s turn; its work so far stays. For the operator or the sidebar’s coordinator.',
    input: z.object(seatInput),
    output: done,
    terminal: { words: ['agent', 'cancel'], given: ['agent_id', 'sidebar_id'], isForServer: true },
    command: 'seat.call',
    lost: 'it is meant for the current turn',
  },
  seat_stop: {
    name: 'seat_stop',
    method: 'POST',
    path: '/seats/stop',
    who: 'member',
    help: 'Stops a seat until it is restarted. For the operator or the sidebar’s coordinator.',
    input: z.object(seatInput),
    output: done,
    terminal: { words: ['agent', 'stop'], given: ['agent_id', 'sidebar_id'], isForServer: true },
    command: 'seat.call',
    lost: 'it is meant for now',
  },
  seat_restart: {
    name: 'seat_restart',
    method: 'POST',
    path: '/seats/restart',
    who: 'member',
    help: 'Restarts a seat, including one that failed or was stopped. For the operator or the sidebar’s coordinator.',
    input: z.object(seatInput),
    output: done,
    terminal: { words: ['agent', 'restart'], given: ['agent_id', 'sidebar_id'], isForServer: true },
    command: 'seat.call',
    lost: 'it is meant for now',
  },
  budget_grant: {
    name: 'budget_grant',
    method: 'POST',
    path: '/budgets',
    who: 'operator',
    help: 'Grants a seat more turns, tokens or money than its runtime allows, or more money for today.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      agent_id: agentId,
      turns: amount.int().optional().describe('additional turns'),
      tokens: amount.int().optional().describe('additional tokens'),
      usd: amount.optional().describe('additional US dollars'),
      usd_today: amount.optional().describe('additional US dollars for the agent today, in all its sidebars'),
      board_usd_today: amount.optional().describe('additional US dollars for all agents together today'),
    }),
    output: done,
    terminal: { words: ['agent', 'grant'], given: ['agent_id', 'sidebar_id'], isForServer: true },
    command: 'budget.grant',
    lost: 'it spends money, so whoever grants it should see it happen',
  },
} as const satisfies OperationsOf<'runtimes'>;

const callOf =
  (wish: 'cancel' | 'stop' | 'restart') =>
  (input: { readonly sidebar_id: string; readonly agent_id: string; readonly reason?: string | undefined }) => ({
    sidebar: input.sidebar_id,
    agent: agentIdOf(input.agent_id),
    wish,
    reason: input.reason,
  });

export const RUNTIME_CODECS: CodecsOf<typeof RUNTIME_OPERATIONS> = {
  agent_runtime: (input, given) => ({
    agent: input.agent_id,
    runtime: typeof input.runtime === 'string' ? given.knownRuntime(input.runtime) : input.runtime,
    model: input.model,
    instructions: input.instructions,
    respondsTo: input.responds_to,
    reach: input.reach,
  }),
  agents_rest: (input) => ({ agent: input.agent_id, isResting: input.resting, reason: input.reason }),
  seat_cancel: callOf('cancel'),
  seat_stop: callOf('stop'),
  seat_restart: callOf('restart'),
  budget_grant: (input) => ({
    sidebar: input.sidebar_id,
    agent: input.agent_id,
    turns: input.turns,
    tokens: input.tokens,
    usd: input.usd,
    usdToday: input.usd_today,
    boardUsdToday: input.board_usd_today,
  }),
};

export const RUNTIME_EVENT_NAMES = {
  'agent.equipped': ['agent_runtime'],
  'agents.rested': ['agents_rest'],
  'seat.called': ['seat_cancel', 'seat_stop', 'seat_restart'],
  'budget.granted': ['budget_grant'],
  'seat.told': ['agent_seat'],
  'seat.held': ['agent_seat_server'],
  'turn.told': ['agent_turn'],
  'limit.told': ['agent_limit'],
} as const satisfies NamesOf<'runtimes'>;

const CALLS = { cancel: 'seat_cancel', stop: 'seat_stop', restart: 'seat_restart' } as const;

export const RUNTIME_TELLERS: TellersOf<typeof RUNTIME_EVENT_NAMES> = {
  'agent.equipped': ({ agent, runtime, model, instructions, respondsTo, reach }) => ({
    type: 'agent_runtime',
    agent_id: agent,
    runtime,
    model,
    instructions,
    responds_to: respondsTo,
    reach,
  }),
  'agents.rested': ({ agent, isResting, reason: why }) => ({ type: 'agents_rest', agent_id: agent, resting: isResting, reason: why }),
  'seat.called': ({ agent, wish, reason: why }, names, event) => ({
    type: CALLS[wish],
    agent_id: agent,
    sidebar_id: here(names, event),
    reason: why,
  }),
  'budget.granted': ({ agent, turns, tokens, usd, usdToday, boardUsdToday }, names, event) => ({
    type: 'budget_grant',
    agent_id: agent,
    sidebar_id: here(names, event),
    turns,
    tokens,
    usd,
    ...(usdToday === undefined ? {} : { usd_today: usdToday }),
    ...(boardUsdToday === undefined ? {} : { board_usd_today: boardUsdToday }),
  }),
  'seat.told': ({ agent, state, runtime, model, sessionId, contextKind, why }, names, event) => ({
    type: 'agent_seat',
    agent_id: agent,
    sidebar_id: here(names, event),
    state,
    runtime,
    model,
    session_id: sessionId,
    context_kind: contextKind,
    reason: why,
  }),
  'seat.held': ({ agent, server, host }, names, event) => ({
    type: 'agent_seat_server',
    agent_id: agent,
    sidebar_id: here(names, event),
    server_id: server,
    host,
  }),
  'turn.told': ({ agent, turn, status, usage, model, why }, names, event) => ({
    type: 'agent_turn',
    agent_id: agent,
    sidebar_id: here(names, event),
    turn_id: turn,
    status,
    tokens: usage === null ? null : usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    cost_usd: usage?.costUsd ?? null,
    model,
    reason: why,
  }),
  'limit.told': ({ agent, of, share }, names, event) => ({ type: 'agent_limit', agent_id: agent, sidebar_id: here(names, event), of, share }),
};

export const RUNTIME_SENTENCES: SentencesOf<typeof RUNTIME_EVENT_NAMES> = {
  agent_runtime: (of) =>
    of('runtime') === '' ? `${of('agent_id')} has no runtime` : `${of('agent_id')} runs on ${of('runtime')}${after(' with ', of('model'))}`,
  agents_rest: (of, event) =>
    `${of('agent_id') === '' ? 'all agents' : of('agent_id')} ${event['resting'] === true ? 'rest' : 'may go on'}${after(': ', of('reason'))}`,
  seat_cancel: (of) => `the turn of ${of('agent_id')} in ${of('sidebar_id')} is being cancelled${after(': ', of('reason'))}`,
  seat_stop: (of) => `${of('agent_id')} stops in ${of('sidebar_id')}${after(': ', of('reason'))}`,
  seat_restart: (of) => `${of('agent_id')} restarts in ${of('sidebar_id')}${after(': ', of('reason'))}`,
  budget_grant: (of) =>
    `${of('agent_id')} may use more in ${of('sidebar_id')}: ${of('turns')} turns, ${of('tokens')} tokens, ${of('usd')} USD${after('; today ', of('usd_today'))}${after('; all agents today ', of('board_usd_today'))}`,
  agent_seat: (of) => `${of('agent_id')} is ${of('state')} in ${of('sidebar_id')}${after(': ', of('reason'))}`,
  agent_seat_server: (of) =>
    of('server_id') === ''
      ? `${of('agent_id')} in ${of('sidebar_id')} waits for a server`
      : `${of('agent_id')} in ${of('sidebar_id')} is run by the server on ${of('host') === '' ? of('server_id') : of('host')}`,
  agent_turn: (of) => `${of('turn_id')} of ${of('agent_id')} in ${of('sidebar_id')}: ${of('status')}${after(', ', of('reason'))}`,
  agent_limit: (of) =>
    `${of('agent_id')} in ${of('sidebar_id')}: ${LIMIT_NAMES[of('of')] ?? of('of')}, ${Math.round(Number(of('share')) * 100)} % used`,
};

const LIMIT_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(BUDGETS.map((one) => [one, one])),
  usd: 'budget',
  'usd-per-day': 'budget for today',
  'board-usd-per-day': 'budget of all agents for today',
  spawns: 'sidebars this hour',
  recruitments: 'recruitments this hour',
  depth: 'depth of sidebars',
  row: 'turns in a row',
};
