import type { JsonObject } from '@yarnboard/transcript';
import type { ConversationRow } from './conversation-row.ts';
import type { MessageFacts } from './message-view.ts';

/** Where a page begins: at a record, by its position on the log or, while it is only in its file, by its uuid. */
export type Place = { readonly position: number } | { readonly uuid: string };

/** A tool use with the result that counts. */
export type UsedTool = {
  readonly row: ConversationRow;
  readonly index: number;
  readonly toolUseId: string;
  readonly name: string;
  readonly result: { readonly uuid: string; readonly isError: boolean; readonly endedAt: number | null } | null;
};

/** A session that can be read page by page, on the log or in its file: lists don't see the difference. */
export type Conversation = {
  readonly sessionId: string;
  /** Records of a thread in order, each uuid once, from a place on; null if there is no such thread, or the place no longer exists. */
  readonly rows: (thread: string, from: Place | null, limit: number) => Promise<readonly ConversationRow[] | null>;
  readonly placeOf: (row: ConversationRow) => Place;
  readonly facts: (rows: readonly ConversationRow[]) => Promise<readonly MessageFacts[]>;
  /** Tool uses of all threads in order; in the first record, starting with the n-th. */
  readonly uses: (from: Place | null, skip: number, limit: number) => Promise<readonly UsedTool[]>;
  /** BACK-4: the records that their tool has taken back. */
  readonly takenBack: () => Promise<ReadonlySet<string>>;
  readonly rowOf: (uuid: string) => Promise<ConversationRow | null>;
  /** The content of records, by uuid; without those whose words are gone. */
  readonly records: (rows: readonly ConversationRow[]) => Promise<ReadonlyMap<string, JsonObject>>;
};

export const isAt = (row: ConversationRow, place: Place): boolean => ('uuid' in place ? row.uuid === place.uuid : row.position === place.position);
