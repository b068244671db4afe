import { draftOfDeed, type EntryType, type SenderType } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { jsonText, type TurnStatus } from '@yarnboard/transcript';

/** The payload of `turn.closed`. */
export type TurnClosed = {
  /** Null when nobody knows: the last message decides. */
  readonly status: TurnStatus | null;
  /** The process behind the session is gone, and so is everything that was running in it. */
  readonly isEnd: boolean;
  /** The turn to close, if the caller saw it: another one may be open by now. */
  readonly turn?: string;
  readonly by: 'run' | 'launch' | 'switch' | 'quiet' | 'start';
};

export type NewDeed = {
  /** The log uses this uuid to detect a repeat. */
  readonly uuid: string;
  readonly type: EntryType;
  readonly at: number;
  readonly sessionId: string;
  readonly contextId?: string;
  readonly sender?: string;
  readonly senderType?: SenderType;
  readonly note?: string;
  readonly payload: object;
};

/** Makes a log item for something that Yarnboard did or learned; the details are JSON. */
export const itemOfDeed = ({
  uuid,
  type,
  at,
  sessionId,
  contextId = sessionId,
  sender = 'system',
  senderType = 'system',
  note,
  payload,
}: NewDeed): Item => {
  const text = jsonText(payload);
  const draft = draftOfDeed({ uuid, type, timestamp: at, sender, senderType, sessionId, contextId, contentLength: text.length, note: note ?? null });
  return { draft, payload: Buffer.from(text), reading: null };
};
