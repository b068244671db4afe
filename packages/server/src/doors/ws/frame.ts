import { ENTRY_TYPES, maskJson, mayDecide, NOBODY_ELSE, type Audience, type Entry, type Recorded } from '@yarnboard/domain';
import { encodeEntry, encodeEvent, encodeRecord, wrapEnvelope, type EventNames } from '@yarnboard/protocol';
import { contextOf } from '@yarnboard/store';
import { type Envelope, jsonText } from '@yarnboard/transcript';
import { timeOf } from '../../sessions/session-view.ts';
import { audienceOf } from './audience.ts';

/** How a client wants to have an entry told. */
export type Manner = {
  readonly isRevealed: boolean;
  readonly hasEnvelopes: boolean;
  /** It asked for the session by name. Whoever hears everything was told a copied record under its original. */
  readonly isNamed: boolean;
  /** It folds events, and wants them as the log has them, too. */
  readonly hasRecords?: boolean;
};

/** WIRE-6: an entry as it is told: its text is made once for each manner, however many clients hear it. */
export type Frame = {
  readonly seq: number;
  readonly sessionId: string;
  /** Whom it concerns besides. */
  readonly audience: Audience;
  readonly isToldTo: (agent: string) => boolean;
  /** Whether it changes the board: it was decided, or makes one forget what was. */
  readonly isOfBoard: boolean;
  /** Null while nobody has asked for its envelopes. */
  readonly envelopes: readonly Envelope[] | null;
  readonly bytes: (manner: Manner) => Buffer;
  /** Roughly how much memory it takes. */
  readonly size: () => number;
};

/** What an entry is told as: an event, where it was decided and its payload is there. */
export type Telling = {
  readonly event: Recorded;
  readonly names: () => EventNames;
  /** Where on the log what somebody was told is. */
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
    // SEC-11: everything a client hears of an entry goes through here.
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

/** How much of its content is kept with it: all, but the bytes of a medium. */
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
