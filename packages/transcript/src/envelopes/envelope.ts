import type { Json } from '../json.ts';
import type { Usage } from '../entry.ts';

/** ENV-1: who speaks. `session` only exists for the seed's migration copies, which are made when asked for. */
export const ENVELOPE_ROLES = ['user', 'agent', 'session'] as const;
export type EnvelopeRole = (typeof ENVELOPE_ROLES)[number];

export const TURN_STATUSES = ['completed', 'failed', 'cancelled'] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

/** What a `service` envelope tells of. */
export const SERVICE_KINDS = [
  'compaction', // earlier messages were replaced by a summary
  'clear', // the model went on with an empty context
  'command', // a slash command was typed
  'notice', // what the program, a hook or another agent said to the model
  'permission-request', // a run asks whether it may use a tool
  'permission-answer',
  'merge', // a sidebar brought back what it found
  'run', // a run began, went on or ended
  'record', // something that is no part of the conversation; only made when asked for
] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** Where in the log an envelope comes from; absent while its record has no number. */
type Sourced = { readonly source?: string };

/** ENV-1: every event of the session protocol. Which role may send it stands in `SENDERS`. */
export type EnvelopeEvent =
  | ({
      readonly t: 'text';
      readonly text: string;
      readonly thinking?: true;
      /** What a sub-agent was asked, as opposed to what it says. */
      readonly prompt?: true;
      readonly model?: string;
    } & Sourced)
  | ({
      readonly t: 'tool-call-start';
      readonly call: string;
      readonly name: string;
      readonly title: string;
      readonly description: string;
      readonly args: Json;
    } & Sourced)
  | ({
      readonly t: 'tool-call-end';
      readonly call: string;
      /** What the tool returned; pictures in it are replaced by `{type: "file", ref}` and told as `file`. Null when nothing did. */
      readonly result: Json;
      readonly isError: boolean;
      /** The call was cut off: nobody will ever know what it would have returned. */
      readonly isInterrupted?: true;
    } & Sourced)
  | { readonly t: 'turn-start' }
  /** `usage` is what the main conversation took; sub-agents have their own. */
  | { readonly t: 'turn-end'; readonly status: TurnStatus; readonly usage?: Usage }
  | {
      readonly t: 'start';
      /** What the call says it is for. */
      readonly title?: string;
      /** The kind of agent that was called. */
      readonly agent?: string;
      /** The sub-agent that called it; absent when the main conversation did. */
      readonly parent?: string;
      /** No call was ever found for it. */
      readonly isOrphan?: true;
    }
  | { readonly t: 'stop'; readonly status: TurnStatus; readonly usage?: Usage }
  | ({ readonly t: 'service'; readonly kind: ServiceKind; readonly text: string; readonly data?: Json } & Sourced)
  | ({
      readonly t: 'file';
      /** Where it is: the uuid of its record, `/`, and the numbers of the blocks that lead to it. */
      readonly ref: string;
      readonly name: string;
      /** In bytes. */
      readonly size: number;
      readonly mimeType: string;
      /** The call that returned it. */
      readonly call?: string;
    } & Sourced);

export type EnvelopeEventName = EnvelopeEvent['t'];

/** ENV-2: who may send what. The user sends text and files, the agent everything; the migration copy is text only. */
export const SENDERS = {
  text: ['user', 'agent', 'session'],
  'tool-call-start': ['agent'],
  'tool-call-end': ['agent'],
  'turn-start': ['agent'],
  'turn-end': ['agent'],
  start: ['agent'],
  stop: ['agent'],
  service: ['agent'],
  file: ['user', 'agent'],
} as const satisfies Record<EnvelopeEventName, readonly EnvelopeRole[]>;

/** One thing that happened in a session, as every client sees it. */
export type Envelope = {
  /** ENV-3: the same for the same record, however often it is mapped. */
  readonly id: string;
  /** Milliseconds since 1970; never before the envelope in front of it. */
  readonly time: number;
  readonly role: EnvelopeRole;
  readonly turn?: string;
  readonly subagent?: string;
  readonly ev: EnvelopeEvent;
};
