import type { z } from 'zod';
import type { Actor } from '../actors.ts';
import type { NumberedType } from '../refs.ts';
import { AGENT_COMMANDS, AGENT_EVENTS } from './agents.ts';
import { AUTO_MERGE_COMMANDS, AUTO_MERGE_EVENTS } from './auto-merge.ts';
import { CITATION_COMMANDS, CITATION_EVENTS } from './citations.ts';
import type { EventDefinition } from './definition.ts';
import { LABEL_COMMANDS, LABEL_EVENTS } from './labels.ts';
import { MARK_COMMANDS, MARK_EVENTS } from './marks.ts';
import { MEMORY_COMMANDS, MEMORY_EVENTS } from './memory.ts';
import { MERGING_COMMANDS, MERGING_EVENTS } from './merging.ts';
import { PERMISSION_COMMANDS, PERMISSION_EVENTS } from './permissions.ts';
import { RECRUITING_COMMANDS, RECRUITING_EVENTS } from './recruiting.ts';
import { RUNTIME_COMMANDS, RUNTIME_EVENTS } from './runtimes.ts';
import { SCRATCHPAD_COMMANDS, SCRATCHPAD_EVENTS } from './scratchpad.ts';
import { SIDEBAR_COMMANDS, SIDEBAR_EVENTS } from './sidebar.ts';
import { SPAWNING_COMMANDS, SPAWNING_EVENTS } from './spawning.ts';
import { TALK_COMMANDS, TALK_EVENTS } from './talk.ts';
import type { Frozen } from './values.ts';
import { VALIDATION_COMMANDS, VALIDATION_EVENTS } from './validation.ts';

/** CAT-1: every event that the board is folded from. An event is defined here and nowhere else; types and tables are derived from it. */
export const EVENTS = {
  ...SPAWNING_EVENTS,
  ...SIDEBAR_EVENTS,
  ...MERGING_EVENTS,
  ...AUTO_MERGE_EVENTS,
  ...TALK_EVENTS,
  ...SCRATCHPAD_EVENTS,
  ...MEMORY_EVENTS,
  ...CITATION_EVENTS,
  ...MARK_EVENTS,
  ...VALIDATION_EVENTS,
  ...AGENT_EVENTS,
  ...RECRUITING_EVENTS,
  ...RUNTIME_EVENTS,
  ...PERMISSION_EVENTS,
  ...LABEL_EVENTS,
};

/** Every command of the board, as the engine takes it. */
export const COMMANDS = {
  ...SPAWNING_COMMANDS,
  ...SIDEBAR_COMMANDS,
  ...MERGING_COMMANDS,
  ...AUTO_MERGE_COMMANDS,
  ...TALK_COMMANDS,
  ...SCRATCHPAD_COMMANDS,
  ...MEMORY_COMMANDS,
  ...CITATION_COMMANDS,
  ...MARK_COMMANDS,
  ...VALIDATION_COMMANDS,
  ...AGENT_COMMANDS,
  ...RECRUITING_COMMANDS,
  ...RUNTIME_COMMANDS,
  ...PERMISSION_COMMANDS,
  ...LABEL_COMMANDS,
};

export type EventType = keyof typeof EVENTS;
/** The families, by the names of their files. `protocol/src/families` has a file of the same name for each, with its operations and wire format. */
type Families = {
  readonly spawning: { readonly events: typeof SPAWNING_EVENTS; readonly commands: typeof SPAWNING_COMMANDS };
  readonly sidebar: { readonly events: typeof SIDEBAR_EVENTS; readonly commands: typeof SIDEBAR_COMMANDS };
  readonly merging: { readonly events: typeof MERGING_EVENTS; readonly commands: typeof MERGING_COMMANDS };
  readonly 'auto-merge': { readonly events: typeof AUTO_MERGE_EVENTS; readonly commands: typeof AUTO_MERGE_COMMANDS };
  readonly talk: { readonly events: typeof TALK_EVENTS; readonly commands: typeof TALK_COMMANDS };
  readonly scratchpad: { readonly events: typeof SCRATCHPAD_EVENTS; readonly commands: typeof SCRATCHPAD_COMMANDS };
  readonly memory: { readonly events: typeof MEMORY_EVENTS; readonly commands: typeof MEMORY_COMMANDS };
  readonly citations: { readonly events: typeof CITATION_EVENTS; readonly commands: typeof CITATION_COMMANDS };
  readonly marks: { readonly events: typeof MARK_EVENTS; readonly commands: typeof MARK_COMMANDS };
  readonly validation: { readonly events: typeof VALIDATION_EVENTS; readonly commands: typeof VALIDATION_COMMANDS };
  readonly recruiting: { readonly events: typeof RECRUITING_EVENTS; readonly commands: typeof RECRUITING_COMMANDS };
  readonly agents: { readonly events: typeof AGENT_EVENTS; readonly commands: typeof AGENT_COMMANDS };
  readonly runtimes: { readonly events: typeof RUNTIME_EVENTS; readonly commands: typeof RUNTIME_COMMANDS };
  readonly permissions: { readonly events: typeof PERMISSION_EVENTS; readonly commands: typeof PERMISSION_COMMANDS };
  readonly labels: { readonly events: typeof LABEL_EVENTS; readonly commands: typeof LABEL_COMMANDS };
};

export type FamilyName = keyof Families;
export type FamilyEvent<F extends FamilyName> = { [K in F]: Extract<keyof Families[K]['events'], EventType> }[F];
export type FamilyCommand<F extends FamilyName> = { [K in F]: Extract<keyof Families[K]['commands'], CommandType> }[F];

export type Payloads = { readonly [T in EventType]: Frozen<z.output<(typeof EVENTS)[T]['payload']>> };

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[]; // its own keys

/** Whether entries of this type are decided, so that the board is folded from them. */
export const isDecided = (type: string): type is EventType => Object.hasOwn(EVENTS, type);

/** The definition of an event of any type. */
export const definitionOf = <T extends EventType>(type: T): EventDefinition<Payloads[T]> => EVENTS[type] as unknown as EventDefinition<Payloads[T]>; // the row of its type

/** A decided event, before it has a place on the log. */
export type Happening<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly uuid: string;
    /** Where it happens: the context id of a sidebar, the id of a session, or the board itself. */
    readonly contextId: string;
    readonly numbers: readonly NumberedType[];
    readonly payload: Payloads[K];
    readonly by: Actor;
  };
}[T];

/** The same with its place on the log: the state is folded from these. */
export type Recorded<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly uuid: string;
    readonly contextId: string;
    readonly payload: Payloads[K];
    readonly by: Actor;
    readonly position: number;
    readonly at: number;
    readonly refs: readonly string[];
  };
}[T];

export type CommandType = keyof typeof COMMANDS;

/** A command. `sidebar` is an SB-n or the id of one. References in it were looked up before: `Facts.refs` has the results. */
export type CommandOf<T extends CommandType> = { [K in T]: { readonly type: K } & Frozen<z.output<(typeof COMMANDS)[K]>> }[T];
export type Command = CommandOf<CommandType>;

/** The parameters of a new sidebar, wherever it branches off. */
export type NewSidebar = Omit<CommandOf<'sidebar.spawn'>, 'type' | 'origin' | 'resolves'>;
