/** WIRE-22: under which names it is told what happens among people and agents: the seed's, and ours where it has none. */
export const EVENT_NAMES = [
  'sidebar_spawn',
  'sidebar_child_spawn',
  'sidebar_fork',
  'sidebar_forked',
  'sidebar_status_update',
  'sidebar_pause',
  'sidebar_resumed',
  'sidebar_waiting_update',
  'sidebar_update',
  'sidebar_escalate',
  'sidebar_intervention',
  'sidebar_test_result',
  'sidebar_consolidate',
  'sidebar_check_merge',
  'sidebar_merge',
  'sidebar_archive',
  'memory_update',
  'memory_archived',
  'memory_finalised',
  'memory_superseded',
  'chat_message',
  'mention_route',
  'relevance_score',
  'relevance_dispute',
  'focus_set',
  'scratchpad_created',
  'scratchpad_backup',
  'scratchpad_entry_submitted',
  'scratchpad_entry_validated',
  'scratchpad_annotate',
  'scratchpad_conflict',
  'conflict_resolve',
  'scratchpad_checkpoint',
  'checkpoint_annotate',
  'citation_created',
  'media_uploaded',
  'media_processed',
  'media_error',
  'gold_created',
  'gold_validated',
  'gold_finalised',
  'gold_superseded',
  'gold_surfaced',
  'agent_register',
  'agent_update',
  'agent_token',
  'agent_retire',
  'agent_presence',
  'agent_recruited',
  'agent_left',
  'inbox_ack',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** An event as it comes: what all have, and its own fields under the names of the wire. */
export type BoardEvent = {
  readonly type: EventName;
  readonly seq: number;
  readonly timestamp: string;
  readonly sender_agent_id: string;
  readonly context_id: string;
  readonly uuid: string;
  readonly refs: readonly string[];
  readonly [field: string]: unknown;
};

export const isEventName = (name: unknown): name is EventName => typeof name === 'string' && KNOWN.has(name);

const KNOWN: ReadonlySet<string> = new Set(EVENT_NAMES);
