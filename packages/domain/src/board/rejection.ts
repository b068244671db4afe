import { err, type Result } from '../result.ts';

/** Why a command was refused: nothing has changed. The codes are promises to whoever reads them. */
export const REJECTIONS = [
  'not-found',
  'bad-request',
  'bad-reference',
  'too-large',
  'wrong-status',
  'not-participant',
  'not-coordinator',
  'not-curator',
  'operator-only',
  'own-finding',
  'live-children',
  'parent-ended',
  'not-archived',
  'no-target',
  'pending-findings',
  'open-conflict',
  'unchecked-package',
  'outdated-package',
  'changed-since',
  'already-there',
  'retired-agent',
  'newer-board',
  'message-id-reused',
] as const;

export type RejectionCode = (typeof REJECTIONS)[number];

/** `message` says what is wrong and what would be allowed. */
export type Rejection = { readonly code: RejectionCode; readonly message: string };

export const reject = (code: RejectionCode, message: string): Result<never, Rejection> => err({ code, message });
