import { draftOfDeed, type EntryType, type SenderType } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { jsonText, type TurnStatus } from '@yarnboard/transcript';

/** The payload of `turn.closed`. */
export type TurnClosed = {
  /** Null when nobody knows: what was said last decides. */
  readonly status: TurnStatus | null;
  /** The process behind the session is gone: whatever still runs in it is ended, too. */
  readonly isEnd: boolean;
  /** The turn that is meant, where whoever says so has seen it: by now another one may be open. */
  readonly turn?: string;
  readonly by: 'run' | 'launch' | 'switch' | 'quiet' | 'start';
};

export type NewDeed = {
  /** Doing it again under the same one is noticed by the log. */
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

/** Something that Yarnboard did or was told, as an item for the log; its details are JSON. */
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
