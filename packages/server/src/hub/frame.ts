import { maskJson, type Entry } from '@yarnboard/domain';
import { encodeEntry, wrapEnvelope } from '@yarnboard/protocol';
import { contextOf } from '@yarnboard/store';
import type { Envelope } from '@yarnboard/transcript';
import { jsonText } from '../http/json-text.ts';
import { timeOf } from '../views/session-view.ts';

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
  /** Null while nobody has asked for its envelopes. */
  readonly envelopes: readonly Envelope[] | null;
  readonly bytes: (manner: Manner) => Buffer;
  /** Roughly how much memory it takes. */
  readonly size: () => number;
};

export const createFrame = (entry: Entry, envelopes: readonly Envelope[] | null): Frame => {
  const made: (Buffer | undefined)[] = [];
  let size = 0;
  let bare: Readonly<Record<string, unknown>> | null = null;

  const textOf = (isRevealed: boolean, withMessages: boolean): string => {
    bare ??= newsOf(entry);
    const frame = withMessages ? { ...bare, messages: (envelopes ?? []).map(wrapEnvelope) } : bare;
    // SEC-11: everything a client hears of an entry goes through here.
    return jsonText(isRevealed ? frame : maskJson(frame));
  };

  return {
    seq: entry.position,
    sessionId: entry.sessionId,
    envelopes,
    bytes: ({ isRevealed, hasEnvelopes, isNamed }) => {
      const withMessages = hasEnvelopes && envelopes !== null && envelopes.length > 0 && (isNamed || entry.copyOf === null);
      const index = (isRevealed ? 1 : 0) + (withMessages ? 2 : 0);
      const known = made[index];
      if (known !== undefined) return known;
      const bytes = Buffer.from(textOf(isRevealed, withMessages));
      made[index] = bytes;
      size += bytes.length;
      return bytes;
    },
    size: () => size + (envelopes === null ? 0 : entry.contentLength),
  };
};

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
