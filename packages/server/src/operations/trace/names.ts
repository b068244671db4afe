import type { Entry } from '@yarnboard/domain';
import type { MessageRow } from '@yarnboard/store';

/** TRACE-5: the name of a session's record: its MSG-n, or else its uuid. A copy's uuid is followed by the session it was copied into. */
export const nameOfRow = ({ number, uuid, copyOf, sessionId }: Pick<MessageRow, 'number' | 'uuid' | 'copyOf' | 'sessionId'>): string =>
  number !== null ? `MSG-${number}` : copyOf === null ? uuid : `${uuid}@${sessionId}`;

export const nameOfEntry = ({ refs, uuid, copyOf, sessionId }: Pick<Entry, 'refs' | 'uuid' | 'copyOf' | 'sessionId'>): string =>
  refs[0] ?? (copyOf === null ? uuid : `${uuid}@${sessionId}`);

/** Whether a node is the address of something outside. */
export const isAddress = (node: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//iu.test(node);
