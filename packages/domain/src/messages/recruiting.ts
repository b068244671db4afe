import * as z from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN, forAgents, type WhileAway } from './definition.ts';
import { because, doer, nameOf, nobody, teamOf, type Concerned, type Surroundings, type Telling } from './telling.ts';
import { maybe, text, texts } from './values.ts';

export const DECLINES = ['overloaded', 'outside_expertise', 'other'] as const;
export type DeclineCode = (typeof DECLINES)[number];
const ENDINGS = ['withdrawn', 'dropped'] as const;

const count = z.number();
const limits = { maxConcurrentPerInstance: count, maxInstances: count };

/** Who is asked to take part, who waits for a seat, what was done to make room. */
export const RECRUITING_EVENTS = {
  'agent.limited': event(z.strictObject({ agent: text, ...limits }))({
    stirs: true,
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, maxConcurrentPerInstance: seats, maxInstances: instances }, around) => [
      {
        to: [agent],
        level: 'info',
        kind: 'capacity',
        text: `${doer(around)} set your limits: ${counted(seats, 'seat')} on an instance, ${counted(instances, 'instance')}`,
        refs: [agent],
      },
    ],
  }),
  'recruitment.requested': event(
    z.strictObject({
      agent: text,
      by: text,
      note: maybe,
      capability: maybe,
      /** What it waits for: the recruit's answer, or a seat. */
      wants: z.enum(['answer', 'seat']),
      /** `return`: it takes part already, and its sidebar resumes. */
      kind: z.enum(['join', 'return']),
    }),
  )({
    stirs: true,
    words: ['note'],
    remains: ({ by }) => ({ agent: by.id, by: by.id, note: FORGOTTEN, capability: null, wants: 'answer', kind: 'join' }),
    concerns: ({ agent, by }) => forAgents(agent, by),
    tells: ({ agent, by, note, wants }, around) =>
      wants === 'seat'
        ? []
        : [
            {
              to: [agent],
              level: 'escalate',
              kind: 'recruited',
              text: `${by} asks you to take part in ${nameOf(around.sidebar)}${because(note)}. Please accept or decline`,
            },
          ],
  }),
  /** The recruit has accepted; now it needs a seat. */
  'recruitment.accepted': event(z.strictObject({ agent: text, request: text }))({
    stirs: true,
    concerns: ({ agent }) => forAgents(agent),
    tells: nobody,
  }),
  'recruitment.queued': event(
    z.strictObject({
      agent: text,
      request: text,
      by: text,
      /** From 1. */
      place: count,
      urgency: z.enum(['high', 'normal', 'low']),
      alternatives: texts,
      /** Why nothing was paused for it, if that was tried. */
      why: maybe,
    }),
  )({
    concerns: ({ agent, by }) => forAgents(agent, by),
    tells: ({ agent, by, place, urgency, alternatives, why }, around) => {
      const name = nameOf(around.sidebar);
      const instead = alternatives.length === 0 ? '' : `. Free instead: ${alternatives.join(', ')}`;
      const waits = `${agent} is full: the request for ${name} is at place ${place}${instead}`;
      const said =
        urgency === 'high'
          ? `CRITICAL task ${name} queued${because(why)}${instead}`
          : urgency === 'low'
            ? `Queued for when capacity available: ${waits}`
            : waits;
      return [
        { to: coordinatorsOf(around.sidebar, agent), level: urgency === 'high' ? 'escalate' : 'info', kind: 'capacity', text: said },
        { to: [by], level: 'info', kind: 'capacity', text: waits },
      ];
    },
  }),
  /** The changed places of those who were waiting already. */
  'queue.moved': event(z.strictObject({ agent: text, places: z.array(z.strictObject({ request: text, by: text, sidebar: text, place: count })) }))({
    concerns: ({ places }) => forAgents(...places.map(({ by }) => by)),
    tells: ({ agent, places }, { sidebarOf }) =>
      places.map(({ by, sidebar, place }) => {
        const name = nameOf(sidebarOf(sidebar));
        return { to: [by], level: 'info', kind: 'capacity', text: `the request for ${agent} in ${name} is at place ${place} now`, refs: [name] };
      }),
  }),
  'recruitment.declined': event(z.strictObject({ agent: text, request: text, by: text, code: z.enum(DECLINES), note: maybe, alternatives: texts }))({
    stirs: true,
    words: ['note'],
    concerns: ({ agent, by }) => forAgents(agent, by),
    tells: ({ agent, by, code, note, alternatives }, around) => [
      {
        to: [by, ...coordinatorsOf(around.sidebar, agent)],
        level: 'warning',
        kind: 'request',
        text: `${agent} declined to take part in ${nameOf(around.sidebar)} (${code.replaceAll('_', ' ')})${because(note)}${alternatives.length === 0 ? '' : `. Instead: ${alternatives.join(', ')}`}`,
      },
    ],
  }),
  'recruitment.withdrawn': event(z.strictObject({ agent: text, request: text, by: text, how: z.enum(ENDINGS), reason: maybe }))({
    stirs: true,
    concerns: ({ agent, by }) => forAgents(agent, by),
    tells: ({ agent, by, how, reason }, around) => [
      {
        to: [by, agent],
        level: how === 'dropped' ? 'warning' : 'info',
        kind: 'request',
        text: `the request for ${agent} in ${nameOf(around.sidebar)} was ${how}${because(reason)}`,
      },
    ],
  }),
  /** A participant that waited for a seat has one again. */
  'agent.seated': event(z.strictObject({ agent: text, request: text }))({
    stirs: true,
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent }, around) => [{ to: [agent], level: 'info', kind: 'capacity', text: `you have a seat in ${nameOf(around.sidebar)} again` }],
  }),
  'agent.instance': event(z.strictObject({ agent: text, instance: text, state: z.enum(['spawned']) }))({
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, instance }, around) => [
      { to: coordinatorsOf(around.sidebar, agent), level: 'info', kind: 'capacity', text: `Spawned ${instance} to handle additional load` },
    ],
  }),
  'capacity.noticed': event(
    z.strictObject({
      agent: text,
      request: text,
      /** `full`: there is no seat; `paused`: another sidebar made room. */
      what: z.enum(['full', 'paused']),
      /** The sidebar that was paused. */
      paused: maybe,
    }),
  )({
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, what, paused }, around) => noticed(agent, what, paused === null ? null : around.sidebarOf(paused), around),
  }),
  'agent.suggested': event(z.strictObject({ suggestions: z.array(z.strictObject({ agent: text, words: texts })), to: texts }))({
    concerns: ({ to }) => forAgents(...to),
    tells: ({ suggestions, to }, around) => [
      {
        to,
        level: 'info',
        kind: 'suggestion',
        text: `Based on the task of ${nameOf(around.sidebar)}, ${suggestions.map(({ agent, words }) => `${agent} (${words.join(', ')})`).join(', ')} might be useful`,
        refs: [nameOf(around.sidebar), ...suggestions.map(({ agent }) => agent)],
      },
    ],
  }),
} as const;

/** LOAD-8: the coordinator; if that is the agent itself, the human as well. */
const coordinatorsOf = (sidebar: Concerned | null, agent: string): readonly string[] =>
  sidebar === null ? [] : sidebar.coordinator === agent ? [agent, OPERATOR.id] : [sidebar.coordinator];

const noticed = (agent: string, what: 'full' | 'paused', paused: Concerned | null, around: Surroundings): readonly Telling[] => {
  const to = coordinatorsOf(around.sidebar, agent);
  if (what === 'full') return [{ to, level: 'warning', kind: 'capacity', text: `Agent ${agent} at capacity, no hardware for new instance` }];
  const said = `Paused ${nameOf(paused)} (${paused?.priority ?? 'LOW'}) for CRITICAL task ${nameOf(around.sidebar)}`;
  const all = [...new Set([...to, ...coordinatorsOf(paused, agent), ...teamOf(paused)])];
  return [{ to: all, level: 'warning', kind: 'capacity', text: said, refs: [nameOf(paused), nameOf(around.sidebar)] }];
};

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

export const RECRUITING_COMMANDS = {
  'agent.limit': z.strictObject({ agent: text, maxConcurrentPerInstance: count.optional(), maxInstances: count.optional() }),
  'recruitment.answer': z.strictObject({ request: text, isAccepted: z.boolean(), code: z.enum(DECLINES).optional(), note: text.optional() }),
  'recruitment.withdraw': z.strictObject({ request: text, reason: text.optional() }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const RECRUITING_WHILE_AWAY = {
  'agent.limit': 'blocked',
  'recruitment.answer': 'blocked',
  'recruitment.withdraw': 'blocked',
} as const satisfies Readonly<Record<keyof typeof RECRUITING_COMMANDS, WhileAway>>;

/** REC-55: events that must wait for the log, whichever command causes them. */
export const RECRUITING_MUST_WAIT = {
  'recruitment.accepted': () => true,
  'agent.seated': () => true,
  'agent.instance': () => true,
};
