import { ENTRY_TYPES, maskJson, mayDecide, NOBODY_ELSE, type Audience, type Entry, type Recorded } from '@yarnboard/domain';
import { encodeEntry, encodeEvent, encodeRecord, wrapEnvelope, type EventNames } from '@yarnboard/protocol';
import { contextOf } from '@yarnboard/store';
import { type Envelope, jsonText } from '@yarnboard/transcript';
import { timeOf } from '../../sessions/session-view.ts';
import { audienceOf } from './audience.ts';

/** The format in which a client wants entries. */
export type Manner = {
  readonly isRevealed: boolean;
  readonly hasEnvelopes: boolean;
  /** It subscribed to the session by name. A client that receives everything got a copied record with its original. */
  readonly isNamed: boolean;
  /** It folds events, and also wants them as they are on the log. */
  readonly hasRecords?: boolean;
};

/** WIRE-6: an entry as it is sent: its text is made once per format, however many clients receive it. */
export type Frame = {
  readonly seq: number;
  readonly sessionId: string;
  /** Whom else it concerns. */
  readonly audience: Audience;
  readonly isToldTo: (agent: string) => boolean;
  /** Whether it changes the board: it was decided, or makes the board forget something. */
  readonly isOfBoard: boolean;
  /** Null if nobody has asked for its envelopes. */
  readonly envelopes: readonly Envelope[] | null;
  readonly bytes: (manner: Manner) => Buffer;
  /** Its approximate size in memory. */
  readonly size: () => number;
};

/** What is sent for an entry: an event, if it was decided and its payload exists. */
export type Telling = {
  readonly event: Recorded;
  readonly names: () => EventNames;
  /** The log positions of somebody's notices. */
  readonly toldAt?: (agent: string) => readonly number[];
} | null;

export const createFrame = (entry: Entry, envelopes: readonly Envelope[] | null, telling: Telling = null): Frame => {
  const made: (Buffer | undefined)[] = [];
  let size = 0;
  let bare: Readonly<Record<string, unknown>> | null = null;

  const textOf = (isRevealed: boolean, withMessages: boolean, withRecord: boolean): string => {
    bare ??= telling === null ? newsOf(entry) : encodeEvent(telling.event, telling.names());
    const said = withMessages ? { ...bare, messages: (envelopes ?? []).map(wrapEnvelope) } : bare;
    const frame = withRecord && telling !== null ? { ...said, record: encodeRecord(telling.event) } : said;
    // SEC-11: everything a client receives about an entry passes through here.
    return jsonText(isRevealed ? frame : maskJson(frame));
  };

  return {
    seq: entry.position,
    sessionId: entry.sessionId,
    audience: telling === null ? NOBODY_ELSE : audienceOf(telling.event),
    isToldTo: (agent) => telling?.toldAt?.(agent).includes(entry.position) === true,
    isOfBoard: mayDecide(entry.type) || entry.type === ENTRY_TYPES.forgotten,
    envelopes: telling === null ? envelopes : NO_ENVELOPES,
    bytes: ({ isRevealed, hasEnvelopes, isNamed, hasRecords = false }) => {
      const withMessages = telling === null && hasEnvelopes && envelopes !== null && envelopes.length > 0 && (isNamed || entry.copyOf === null);
      const withRecord = telling !== null && hasRecords;
      const index = (isRevealed ? 1 : 0) + (withMessages ? 2 : 0) + (withRecord ? 4 : 0);
      const known = made[index];
      if (known !== undefined) return known;
      const bytes = Buffer.from(textOf(isRevealed, withMessages, withRecord));
      made[index] = bytes;
      size += bytes.length;
      return bytes;
    },
    size: () => size + (envelopes === null && telling === null ? 0 : heldBy(entry)),
  };
};

/** How much of its content is kept with it: all, except the bytes of media. */
export const heldBy = ({ type, contentLength }: Entry): number => (type === 'media.uploaded' ? 0 : contentLength);

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
