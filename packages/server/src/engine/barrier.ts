import { isDecided, isNewer, type Board, type Recorded, type Unreadable } from '@yarnboard/domain';
import type { DecidedEntry } from './decided-entries.ts';
import { forgottenEvent, storedEvent } from './stored-events.ts';

/** The first entry that only a newer version of Yarnboard can read. The board stays as it was before it: going on would fork it. */
export type Barrier = { readonly position: number; readonly type: string; readonly version: number };

/** What an entry means for the board: an event, nothing, or that this version can't continue. */
export type Telling =
  | { readonly kind: 'event'; readonly event: Recorded }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'barrier'; readonly barrier: Barrier };

export const tellingOf = (board: Board, { entry, payload }: DecidedEntry): Telling => {
  const { position, type, version } = entry;
  if (payload === null && isDecided(type)) {
    const event = forgottenEvent(board, entry);
    return event === null ? { kind: 'nothing' } : { kind: 'event', event };
  }
  const read = storedEvent(entry, payload ?? NO_PAYLOAD);
  if (read.ok) return { kind: 'event', event: read.value };
  if (isNewer(read.error)) return { kind: 'barrier', barrier: { position, type, version } };
  return { kind: 'malformed', why: `entry ${position} (${type}) cannot be read and was passed over: ${whyOf(read.error)}` };
};

export const readOnlyBecause = ({ position, type, version }: Barrier): string =>
  `This board is read-only here: entry ${position} (${type}, version ${version}) was written by a newer Yarnboard. ` +
  'Nothing is lost, and everything before it can be read. Upgrade this server to go on.';

const whyOf = (error: Unreadable): string =>
  error.kind === 'malformed' ? `${error.where === '' ? '' : `${error.where}: `}${error.why}` : error.kind;

const NO_PAYLOAD = new Uint8Array();
