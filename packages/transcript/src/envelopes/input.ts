import type { Entry } from '../entry.ts';
import type { Json, JsonObject } from '../json.ts';
import type { AgentMeta } from '../session.ts';
import type { ServiceKind, TurnStatus } from './envelope.ts';

/** What the mapper is fed with, in order: records of a session's files or of its live stream, and what those who run it say. */
export type MapperInput =
  | {
      readonly kind: 'record';
      readonly record: JsonObject;
      readonly entry: Entry;
      /** The record's own; where it has none, one that stays the same whenever it is read. */
      readonly uuid: string;
      /** The sub-agent whose file it stands in. */
      readonly agentId: string | null;
      /** Its reference on the log, e.g. MSG-12. */
      readonly source: string | null;
    }
  | { readonly kind: 'meta'; readonly agentId: string; readonly meta: AgentMeta }
  | {
      readonly kind: 'close';
      readonly uuid: string;
      readonly at: number;
      /** Null when nobody knows: then what was said last decides. */
      readonly status: TurnStatus | null;
      /** Nothing more will come: whatever still runs or waits is ended, too. */
      readonly isEnd: boolean;
      /** The turn that is meant; when another one is open by now, nothing is closed. */
      readonly turn?: string;
    }
  | {
      readonly kind: 'service';
      readonly uuid: string;
      readonly at: number;
      readonly service: ServiceKind;
      readonly text: string;
      readonly data: Json;
      /** The reference of its entry, where it is one that people name. */
      readonly source?: string;
    };

export type MapperOptions = {
  /** Every user text a second time with role `session`, as the seed's migration wants it. */
  readonly shadow?: boolean;
  /** Also tells, as `service`, what is no part of the conversation. */
  readonly everything?: boolean;
};
