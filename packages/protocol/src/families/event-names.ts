import type { EventType } from '@yarnboard/domain';
import { AGENT_EVENT_NAMES } from './agents.ts';
import { CITATION_EVENT_NAMES } from './citations.ts';
import { AUTO_MERGE_EVENT_NAMES } from './auto-merge.ts';
import { LABEL_EVENT_NAMES } from './labels.ts';
import { MARK_EVENT_NAMES } from './marks.ts';
import { VALIDATION_EVENT_NAMES } from './validation.ts';
import { MEMORY_EVENT_NAMES } from './memory.ts';
import { MERGING_EVENT_NAMES } from './merging.ts';
import { PERMISSION_EVENT_NAMES } from './permissions.ts';
import { RECRUITING_EVENT_NAMES } from './recruiting.ts';
import { RUNTIME_EVENT_NAMES } from './runtimes.ts';
import { SCRATCHPAD_EVENT_NAMES } from './scratchpad.ts';
import { SIDEBAR_EVENT_NAMES } from './sidebar.ts';
import { SPAWNING_EVENT_NAMES } from './spawning.ts';
import { TALK_EVENT_NAMES } from './talk.ts';

/** WIRE-22: the wire names of each event. */
export const NAMES_OF_EVENTS = {
  ...SPAWNING_EVENT_NAMES,
  ...SIDEBAR_EVENT_NAMES,
  ...MERGING_EVENT_NAMES,
  ...TALK_EVENT_NAMES,
  ...SCRATCHPAD_EVENT_NAMES,
  ...MEMORY_EVENT_NAMES,
  ...CITATION_EVENT_NAMES,
  ...MARK_EVENT_NAMES,
  ...AUTO_MERGE_EVENT_NAMES,
  ...VALIDATION_EVENT_NAMES,
  ...AGENT_EVENT_NAMES,
  ...RECRUITING_EVENT_NAMES,
  ...RUNTIME_EVENT_NAMES,
  ...PERMISSION_EVENT_NAMES,
  ...LABEL_EVENT_NAMES,
};

export type EventName = (typeof NAMES_OF_EVENTS)[EventType][number];

export const EVENT_NAMES: readonly EventName[] = [...new Set(Object.values(NAMES_OF_EVENTS).flat())];

const KNOWN: ReadonlySet<string> = new Set(EVENT_NAMES);

export const isEventName = (name: unknown): name is EventName => typeof name === 'string' && KNOWN.has(name);

/** An event as received: the common fields, and its own under their wire names. */
export type BoardEvent = {
  readonly type: EventName;
  /** The id of the event itself; an earlier server doesn't send it. */
  readonly message_id?: string | undefined;
  readonly seq: number;
  readonly timestamp: string;
  readonly sender_agent_id: string;
  readonly context_id: string;
  readonly uuid: string;
  readonly refs: readonly string[];
  readonly [field: string]: unknown;
};
