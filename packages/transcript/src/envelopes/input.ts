import type { Entry } from '../entry.ts';
import type { Json, JsonObject } from '../json.ts';
import type { AgentMeta } from '../session.ts';
import type { ServiceKind, TurnStatus } from './envelope.ts';

/** The mapper's input, in order: records of a session's files or of its live stream, and statements of its runner. */
export type MapperInput =
  | {
      readonly kind: 'record';
      readonly record: JsonObject;
      readonly entry: Entry;
      /** The record's own; without one, a uuid that stays the same on every reading. */
      readonly uuid: string;
      /** The sub-agent that owns its file. */
      readonly agentId: string | null;
      /** Its reference on the log, e.g. MSG-12. */
      readonly source: string | null;
    }
  | { readonly kind: 'meta'; readonly agentId: string; readonly meta: AgentMeta }
  | {
      readonly kind: 'close';
      readonly uuid: string;
      readonly at: number;
      /** Null if unknown: then the last message decides. */
      readonly status: TurnStatus | null;
      /** Nothing more will come: whatever still runs or waits is ended, too. */
      readonly isEnd: boolean;
      /** The turn in question; if another one is open by now, nothing is closed. */
      readonly turn?: string;
    }
  | {
      readonly kind: 'service';
      readonly uuid: string;
      readonly at: number;
      readonly service: ServiceKind;
      readonly text: string;
      readonly data: Json;
      /** The reference of its entry, if people refer to it. */
      readonly source?: string;
    };

export type MapperOptions = {
  /** Sends every user text a second time with role `session`, for the seed's migration. */
  readonly shadow?: boolean;
  /** Also sends, as `service`, what isn't part of the conversation. */
  readonly everything?: boolean;
};
