import type { EventType, Recorded } from '@yarnboard/domain';
import { AGENT_TELLERS } from './agents.ts';
import { CITATION_TELLERS } from './citations.ts';
import type { EventNames, Teller } from './definition.ts';
import type { EventName } from './event-names.ts';
import { AUTO_MERGE_TELLERS } from './auto-merge.ts';
import { LABEL_TELLERS } from './labels.ts';
import { MARK_TELLERS } from './marks.ts';
import { VALIDATION_TELLERS } from './validation.ts';
import { MEMORY_TELLERS } from './memory.ts';
import { MERGING_TELLERS } from './merging.ts';
import { PERMISSION_TELLERS } from './permissions.ts';
import { RECRUITING_TELLERS } from './recruiting.ts';
import { RUNTIME_TELLERS } from './runtimes.ts';
import { SCRATCHPAD_TELLERS } from './scratchpad.ts';
import { SIDEBAR_TELLERS } from './sidebar.ts';
import { SPAWNING_TELLERS } from './spawning.ts';
import { TALK_TELLERS } from './talk.ts';

/** WIRE-22: events among people and agents, with the names and fields of the seed's section 6; further fields are additions. */
export const encodeEvent = (event: Recorded, names: EventNames): Readonly<Record<string, unknown>> => {
  const tell = TELLERS[event.type] as Teller<EventType>; // the table is complete by its type
  const { type, ...fields } = tell(event.payload, names, event);
  return {
    type,
    // WIRE-34: the fields of the seed's BaseMessage. An event has one id, however often it is sent.
    message_id: event.uuid,
    seq: event.position,
    timestamp: new Date(event.at).toISOString(),
    sender_agent_id: event.by.id,
    context_id: names.context(event.contextId),
    uuid: event.uuid,
    refs: event.refs,
    ...fields,
  };
};

const TELLERS: { readonly [T in EventType]: Teller<T, EventName> } = {
  ...SPAWNING_TELLERS,
  ...SIDEBAR_TELLERS,
  ...MERGING_TELLERS,
  ...TALK_TELLERS,
  ...SCRATCHPAD_TELLERS,
  ...MEMORY_TELLERS,
  ...CITATION_TELLERS,
  ...MARK_TELLERS,
  ...AUTO_MERGE_TELLERS,
  ...VALIDATION_TELLERS,
  ...AGENT_TELLERS,
  ...RECRUITING_TELLERS,
  ...RUNTIME_TELLERS,
  ...PERMISSION_TELLERS,
  ...LABEL_TELLERS,
};
