import { ENTRY_TYPES, maskJson, type Entry, type Recorded } from '@yarnboard/domain';
import { encodeEntry, encodeEvent, wrapEnvelope, type EventNames } from '@yarnboard/protocol';
import { contextOf } from '@yarnboard/store';
import type { Envelope } from '@yarnboard/transcript';
import { jsonText } from '../http/json-text.ts';
import { timeOf } from '../views/session-view.ts';
import { audienceOf, NOBODY_ELSE, type Audience } from './audience.ts';

/** How a client wants to have an entry told. */
export type Manner = {
  readonly isRevealed: boolean;
  readonly hasEnvelopes: boolean;
  /** It asked for the session by name. Whoever hears everything was told a copied record under its original. */
  readonly isNamed: boolean;
};

/** WIRE-6: an entry as it is told: its text is made once for each manner, however many clients hear it. */
export type Frame = {
  readonly seq: number;
  readonly sessionId: string;
  /** Whom it concerns besides. */
  readonly audience: Audience;
  /** Null while nobody has asked for its envelopes. */
  readonly envelopes: readonly Envelope[] | null;
  readonly bytes: (manner: Manner) => Buffer;
  /** Roughly how much memory it takes. */
  readonly size: () => number;
};

/** What an entry is told as: an event, where it was decided and its payload is there. */
export type Telling = { readonly event: Recorded; readonly names: () => EventNames } | null;

export const createFrame = (entry: Entry, envelopes: readonly Envelope[] | null, telling: Telling = null): Frame => {
  const made: (Buffer | undefined)[] = [];
  let size = 0;
  let bare: Readonly<Record<string, unknown>> | null = null;

  const textOf = (isRevealed: boolean, withMessages: boolean): string => {
    bare ??= telling === null ? newsOf(entry) : encodeEvent(telling.event, telling.names());
    const frame = withMessages ? { ...bare, messages: (envelopes ?? []).map(wrapEnvelope) } : bare;
    // SEC-11: everything a client hears of an entry goes through here.
    return jsonText(isRevealed ? frame : maskJson(frame));
  };

  return {
    seq: entry.position,
    sessionId: entry.sessionId,
    audience: telling === null ? NOBODY_ELSE : audienceOf(telling.event),
    envelopes: telling === null ? envelopes : NO_ENVELOPES,
    bytes: ({ isRevealed, hasEnvelopes, isNamed }) => {
      const withMessages = telling === null && hasEnvelopes && envelopes !== null && envelopes.length > 0 && (isNamed || entry.copyOf === null);
      const index = (isRevealed ? 1 : 0) + (withMessages ? 2 : 0);
      const known = made[index];
      if (known !== undefined) return known;
      const bytes = Buffer.from(textOf(isRevealed, withMessages));
      made[index] = bytes;
      size += bytes.length;
      return bytes;
    },
    size: () => size + (envelopes === null && telling === null ? 0 : heldBy(entry)),
  };
};

/** How much of its content is kept with it: all, but the bytes of a medium. */
export const heldBy = ({ type, contentLength }: Entry): number => (type === ENTRY_TYPES.mediaUploaded ? 0 : contentLength);

const newsOf = (entry: Entry): Readonly<Record<string, unknown>> =>
  encodeEntry({
    seq: entry.position,
    entryType: entry.type,
    sessionId: entry.sessionId,
    contextId: entry.contextId,
    agentId: contextOf(entry.contextId).agentId,
    sender: entry.sender,
    senderType: entry.senderType,
    timestamp: timeOf(entry.timestamp),
    refs: entry.refs,
    copyOf: entry.copyOf,
  });

const NO_ENVELOPES: readonly Envelope[] = [];
