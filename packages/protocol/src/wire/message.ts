import type { z } from 'zod';
import { toWire } from './names.ts';
import type { message } from './schemas.ts';

/** API-3: a message with all the names the seed gives its fields: `_id`, the aliases, and `isSidechain` in both spellings. */
export const messageToWire = (view: {
  readonly uuid: string;
  readonly sessionId: string;
  readonly parentUuid: string | null;
  readonly isSidechain: boolean;
}): z.output<typeof message> => ({
  _id: view.uuid,
  message_uuid: view.uuid,
  parent_uuid_alias: view.parentUuid,
  session_id_alias: view.sessionId,
  isSidechain: view.isSidechain,
  ...(toWire(view) as Omit<z.output<typeof message>, '_id' | 'message_uuid' | 'parent_uuid_alias' | 'session_id_alias' | 'isSidechain'>), // tests validate it
});
