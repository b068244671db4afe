import type { Entry } from '@yarnboard/domain';
import type { MessageRow } from '@yarnboard/store';

/** TRACE-5: what a record of a session is called: its MSG-n; without one its uuid, and a copy also by the session it was copied into. */
export const nameOfRow = ({ number, uuid, copyOf, sessionId }: Pick<MessageRow, 'number' | 'uuid' | 'copyOf' | 'sessionId'>): string =>
  number !== null ? `MSG-${number}` : copyOf === null ? uuid : `${uuid}@${sessionId}`;

export const nameOfEntry = ({ refs, uuid, copyOf, sessionId }: Pick<Entry, 'refs' | 'uuid' | 'copyOf' | 'sessionId'>): string =>
  refs[0] ?? (copyOf === null ? uuid : `${uuid}@${sessionId}`);
