import * as z from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, FORGOTTEN, inContext, NOBODY_ELSE, type WhileAway } from './definition.ts';
import { putInTeam } from './sidebar-telling.ts';
import { doer, nameOf, teamOf } from './telling.ts';
import { context, contextIdOf, dataRefs, maybe, origin, priority, status, text, texts } from './values.ts';

/** A sidebar's initial state. */
const spawned = {
  origin,
  parent: context.nullable(),
  task: text,
  successCriteria: maybe,
  taskType: maybe,
  participants: texts,
  coordinator: text,
  curator: text,
  priority,
  status,
  testGroup: maybe,
  tags: texts,
  forkedFrom: maybe,
  forkReason: maybe,
  sourceScratchpad: maybe,
  /** Its default merge target. */
  mergeTarget: context.nullable(),
  /** The conflict that it is meant to resolve. */
  resolves: maybe,
};

/** How a sidebar begins. */
export const SPAWNING_EVENTS = {
  'sidebar.spawned': event(z.strictObject({ ...spawned, isOpen: z.boolean().nullable(), dataRefs: dataRefs.exactOptional() }))({
    version: 2,
    // There was no option to join: it is open if an agent or Yarnboard made it.
    upcasts: { 1: { payload: z.strictObject(spawned), next: (payload: object) => ({ ...payload, isOpen: null }) } },
    stirs: true,
    numbers: () => ['SB'],
    words: ['task', 'successCriteria'],
    // Its parents and inheritance are gone; its existence and its events are not.
    remains: ({ by }) => ({
      origin: { kind: 'none' },
      parent: null,
      task: FORGOTTEN,
      successCriteria: null,
      taskType: null,
      participants: [by.type === 'system' ? OPERATOR.id : by.id],
      coordinator: OPERATOR.id,
      curator: OPERATOR.id,
      priority: 'NORMAL',
      status: 'ACTIVE',
      testGroup: null,
      tags: [],
      forkedFrom: null,
      forkReason: null,
      sourceScratchpad: null,
      mergeTarget: null,
      resolves: null,
      isOpen: null,
    }),
    tells: ({ participants, coordinator, curator, task, forkedFrom }, around) =>
      putInTeam(around, { participants, coordinator, curator, task, isFork: forkedFrom !== null }),
    // Followers of a conversation see what branches off it.
    concerns: ({ parent }) => (parent === null ? NOBODY_ELSE : inContext(contextIdOf(parent))),
  }),
  /** About the original; the fork itself is spawned. */
  'sidebar.forked': event(z.strictObject({ into: text, reason: text }))({
    tells: ({ into, reason }, around) => {
      const fork = nameOf(around.sidebarOf(into));
      return [
        {
          to: teamOf(around.sidebar),
          level: 'info',
          kind: 'forked',
          text: `${doer(around)} forked ${nameOf(around.sidebar)} into ${fork}: ${reason}`,
          refs: [fork, nameOf(around.sidebar)],
        },
      ];
    },
  }),
} as const;

/** The parameters of a new sidebar, wherever it branches off. */
const newSidebar = {
  task: text,
  successCriteria: text.optional(),
  taskType: text.optional(),
  /** Whoever spawns takes part in any case. */
  participants: texts.optional(),
  coordinator: text.optional(),
  curator: text.optional(),
  priority: priority.optional(),
  isTesting: z.boolean().optional(),
  /** Tests in a group are compared, and see each other's results. */
  testGroup: text.optional(),
  tags: texts.optional(),
  /** Whether anyone may join. By default, unless a person made it. */
  isOpen: z.boolean().optional(),
  dataRefs: dataRefs.optional(),
};

const sidebar = { sidebar: text };
const upTo = z.number().nullable();

export const SPAWNING_COMMANDS = {
  'sidebar.spawn': z.strictObject({ origin, resolves: text.exactOptional(), ...newSidebar }),
  'sidebar.spawn-child': z.strictObject({ ...sidebar, upTo, isWaiting: z.boolean().exactOptional(), ...newSidebar }),
  'sidebar.fork': z.strictObject({ ...sidebar, reason: text, ...newSidebar, task: text.exactOptional() }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const SPAWNING_WHILE_AWAY = {
  'sidebar.spawn': 'blocked',
  'sidebar.spawn-child': 'blocked',
  'sidebar.fork': 'blocked',
} as const satisfies Readonly<Record<keyof typeof SPAWNING_COMMANDS, WhileAway>>;

/** REC-55: events that must wait for the log, whichever command causes them. */
export const SPAWNING_MUST_WAIT = {
  'sidebar.spawned': () => true,
  'sidebar.forked': () => true,
};
