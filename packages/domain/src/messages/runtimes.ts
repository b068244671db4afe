import * as z from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, forAgents, type WhileAway } from './definition.ts';
import { because, nameOf, nobody, type Surroundings, type Telling } from './telling.ts';
import { maybe, text, texts } from './values.ts';

export const REACHES = ['sidebar', 'board'] as const;
/** What a seat may look up by itself, beyond its briefing. */
export type Reach = (typeof REACHES)[number];

export const RESPONSES = ['mentions', 'all'] as const;
/** What a seat responds to: messages addressed to it, or everything in its sidebar. */
export type RespondsTo = (typeof RESPONSES)[number];

export const SEAT_STATES = ['ready', 'resting', 'stopped', 'failed'] as const;
export const TURN_STATUSES = ['begun', 'completed', 'cancelled', 'failed'] as const;
export const SEAT_WISHES = ['cancel', 'stop', 'restart'] as const;
export const BUDGETS = ['turns', 'tokens', 'usd', 'usd-per-day', 'board-usd-per-day'] as const;
export type Budget = (typeof BUDGETS)[number];

const count = z.number().min(0);
const usage = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  /** Null if the price is unknown. */
  costUsd: z.number().min(0).nullable(),
});

/** RT-20: the briefing of a seat: its place on the board, its length and its hash. The text is in the seat's transcript. */
const briefing = z.strictObject({ refs: texts, upTo: count, size: count, hash: text });

const equipment = {
  runtime: maybe,
  model: maybe,
  instructions: maybe,
  respondsTo: z.enum(RESPONSES),
  reach: z.enum(REACHES),
};
const seatTold = {
  agent: text,
  state: z.enum(SEAT_STATES),
  runtime: text,
  model: maybe,
  sessionId: text,
  contextKind: z.enum(['briefing', 'fork', 'rebuilt']),
  why: maybe,
  /** Whether the program ended by itself. */
  isCrash: z.boolean(),
};
/** RT-14: the available alternatives to an agent that keeps failing: in its sidebar, and for others still waiting for it. */
const instead = {
  alternatives: texts.optional(),
  awaited: z.array(z.strictObject({ by: text, sidebar: text, alternatives: texts })).optional(),
};
/** RT-66: the server that holds a seat, by its id and its machine's name; null for none. */
const seatHeld = { agent: text, server: maybe, host: maybe };
const turnTold = {
  agent: text,
  turn: text,
  status: z.enum(TURN_STATUSES),
  /** The log position of the last message it was told. */
  upTo: count,
  /** Whether it has to be told the same again. */
  isAgain: z.boolean(),
  usage: usage.nullable(),
  model: maybe,
  why: maybe,
  briefing: briefing.nullable(),
  /** Whether the previous turn failed, too. */
  isRepeated: z.boolean().optional(),
};
/** RT-60: what an agent with a runtime initiates by itself. */
const OWN_LIMIT_NAMES = ['depth', 'spawns', 'recruitments'] as const;
const limitTold = { agent: text, of: z.enum([...BUDGETS, 'row', ...OWN_LIMIT_NAMES]), share: z.number().min(0).max(1) };
const granted = {
  agent: text,
  turns: count,
  tokens: count,
  usd: count,
  /** For the day: of the agent, and of all agents together. */
  usdToday: count.optional(),
  boardUsdToday: count.optional(),
};

/** What makes agents act, and what their seats did. */
export const RUNTIME_EVENTS = {
  'agent.equipped': event(z.strictObject({ agent: text, ...equipment }))({ concerns: ({ agent }) => forAgents(agent), tells: nobody }),
  'agents.rested': event(z.strictObject({ agent: maybe, isResting: z.boolean(), reason: maybe }))({ tells: nobody }),
  'seat.called': event(z.strictObject({ agent: text, wish: z.enum(SEAT_WISHES), reason: maybe }))({
    concerns: ({ agent }) => forAgents(agent),
    tells: nobody,
  }),
  'budget.granted': event(z.strictObject(granted))({ concerns: ({ agent }) => forAgents(agent), tells: nobody }),
  'seat.told': event(z.strictObject({ ...seatTold, ...instead }))({
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, state, why, alternatives = [], awaited = [] }, around) =>
      state !== 'failed'
        ? []
        : [
            ...toDeciders(around, 'escalate', `${agent} keeps failing in ${nameOf(around.sidebar)}${because(why)}${freeInstead(alternatives)}`),
            ...awaited.map((one): Telling => {
              const name = nameOf(around.sidebarOf(one.sidebar));
              const text = `${agent}, whom you want in ${name}, keeps failing elsewhere${freeInstead(one.alternatives)}`;
              return { to: [one.by], level: 'warning', kind: 'request', text, refs: [name] };
            }),
          ],
  }),
  'seat.held': event(z.strictObject(seatHeld))({ concerns: ({ agent }) => forAgents(agent), tells: nobody }),
  'turn.told': event(z.strictObject(turnTold))({
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, status, why, isAgain, isRepeated }, around) =>
      status === 'failed' && isRepeated !== true
        ? toDeciders(
            around,
            'warning',
            `${agent} failed at its turn in ${nameOf(around.sidebar)}${because(why)}${isAgain ? '; it tries again by itself' : ''}`,
          )
        : [],
  }),
  'limit.told': event(z.strictObject(limitTold))({
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, of, share }, around) => toDeciders(around, 'warning', `${agent} ${LIMITS[of](share >= 1)} in ${nameOf(around.sidebar)}`),
  }),
} as const;

const freeInstead = (alternatives: readonly string[]): string => (alternatives.length === 0 ? '' : `. Free instead: ${alternatives.join(', ')}`);

/** The coordinator, and the human: an agent coordinating may be the very one this is about. */
const toDeciders = ({ sidebar }: Surroundings, level: Telling['level'], said: string): readonly Telling[] => [
  { to: [...new Set([sidebar?.coordinator ?? OPERATOR.id, OPERATOR.id])], level, kind: 'seat', text: said },
];

const used =
  (what: string) =>
  (isAll: boolean): string =>
    isAll ? `has used up its ${what} and rests` : `has used 80 % of its ${what}`;

const done =
  (what: string) =>
  (isAll: boolean): string =>
    isAll ? `has used up its ${what}` : `has used 80 % of its ${what}`;

const LIMITS = {
  turns: used('turns'),
  tokens: used('tokens'),
  usd: used('budget'),
  'usd-per-day': used('budget for today'),
  'board-usd-per-day': (isAll) =>
    isAll ? 'rests: all agents together have used up the budget for today' : 'works: all agents together have used 80 % of the budget for today',
  row: () => 'rests: agents took turns for a while and nothing came of it',
  depth: () => `has started sidebars ${DEPTH} deep, and may go no deeper,`,
  spawns: done('sidebars for this hour'),
  recruitments: done('recruitments for this hour'),
} as const satisfies Record<Budget | 'row' | (typeof OWN_LIMIT_NAMES)[number], (isAll: boolean) => string>;

const DEPTH = 3;

export const RUNTIME_COMMANDS = {
  'agent.equip': z.strictObject({
    agent: text,
    /** Null removes it. */
    runtime: maybe.optional(),
    model: maybe.optional(),
    instructions: maybe.optional(),
    respondsTo: z.enum(RESPONSES).optional(),
    reach: z.enum(REACHES).optional(),
  }),
  'agents.rest': z.strictObject({ agent: text.optional(), isResting: z.boolean(), reason: text.optional() }),
  'seat.call': z.strictObject({ sidebar: text, agent: text, wish: z.enum(SEAT_WISHES), reason: text.optional() }),
  'budget.grant': z.strictObject({
    sidebar: text,
    agent: text,
    turns: z.number().optional(),
    tokens: z.number().optional(),
    usd: z.number().optional(),
    usdToday: z.number().optional(),
    boardUsdToday: z.number().optional(),
  }),
  'seat.tell': z.strictObject({ sidebar: text, ...seatTold }),
  'seat.hold': z.strictObject({
    sidebar: text,
    ...seatHeld,
    /** The holder, as far as the caller knows. */
    from: maybe,
  }),
  'turn.tell': z.strictObject({ sidebar: text, ...turnTold }),
  'limit.tell': z.strictObject({ sidebar: text, ...limitTold }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const RUNTIME_WHILE_AWAY = {
  'agent.equip': 'blocked',
  'agents.rest': 'queued',
  'seat.call': 'blocked',
  'budget.grant': 'blocked',
  'seat.tell': 'queued',
  'seat.hold': 'blocked',
  'turn.tell': 'queued',
  'limit.tell': 'queued',
} as const satisfies Readonly<Record<keyof typeof RUNTIME_COMMANDS, WhileAway>>;
