import type { Json } from '../json.ts';
import type { Usage } from '../entry.ts';

/** ENV-1: who speaks. `session` exists only for the seed's migration copies, which are made on request. */
export const ENVELOPE_ROLES = ['user', 'agent', 'session'] as const;
export type EnvelopeRole = (typeof ENVELOPE_ROLES)[number];

export const TURN_STATUSES = ['completed', 'failed', 'cancelled'] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

/** The kinds of `service` envelopes. */
export const SERVICE_KINDS = [
  'compaction', // earlier messages were replaced by a summary
  'clear', // the model continued with an empty context
  'command', // a slash command was typed
  'notice', // a message from the program, a hook or another agent to the model
  'permission-request', // a run asks for permission to use a tool
  'permission-answer',
  'merge', // a sidebar merged its results
  'run', // a run started, resumed or ended
  'record', // something outside the conversation; only made on request
] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** The log entry behind an envelope; absent while its record has no number. */
type Sourced = { readonly source?: string };

/** ENV-1: every event of the session protocol. `SENDERS` defines which role may send it. */
export type EnvelopeEvent =
  | ({
      readonly t: 'text';
      readonly text: string;
      readonly thinking?: true;
      /** A sub-agent's task, as opposed to its own words. */
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
      /** The tool's result; pictures in it are replaced by `{type: "file", ref}` and sent as `file`. Null without a result. */
      readonly result: Json;
      readonly isError: boolean;
      /** The call was cut off: its result will never be known. */
      readonly isInterrupted?: true;
    } & Sourced)
  | { readonly t: 'turn-start' }
  /** `usage` is that of the main conversation; sub-agents have their own. */
  | { readonly t: 'turn-end'; readonly status: TurnStatus; readonly usage?: Usage }
  | {
      readonly t: 'start';
      /** The call's description of its purpose. */
      readonly title?: string;
      /** The kind of agent that was called. */
      readonly agent?: string;
      /** The sub-agent that called it; absent if the main conversation did. */
      readonly parent?: string;
      /** Its call was never found. */
      readonly isOrphan?: true;
    }
  | { readonly t: 'stop'; readonly status: TurnStatus; readonly usage?: Usage }
  | ({ readonly t: 'service'; readonly kind: ServiceKind; readonly text: string; readonly data?: Json } & Sourced)
  | ({
      readonly t: 'file';
      /** Where it is: the uuid of its record, `/`, and the indexes of the blocks that lead to it. */
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

/** One event of a session, as every client sees it. */
export type Envelope = {
  /** ENV-3: the same for the same record, however often it is mapped. */
  readonly id: string;
  /** Milliseconds since 1970; never earlier than the previous envelope. */
  readonly time: number;
  readonly role: EnvelopeRole;
  readonly turn?: string;
  readonly subagent?: string;
  readonly ev: EnvelopeEvent;
};
