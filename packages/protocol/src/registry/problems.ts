import type { RejectionCode } from '@yarnboard/domain';

/** Why a request was refused: a stable code, an HTTP status, and a sentence that says what to do. */
export const PROBLEMS = {
  'bad-request': { status: 400, title: 'Bad request' },
  'bad-reference': { status: 400, title: 'Not a reference' },
  'token-needed': { status: 401, title: 'Token needed' },
  'bad-token': { status: 401, title: 'Invalid token' },
  'bad-key': { status: 403, title: 'The link is no longer valid' },
  'operator-only': { status: 403, title: 'Only the operator may do this' },
  'foreign-host': { status: 403, title: 'Requests for another host are refused' },
  'foreign-origin': { status: 403, title: 'Requests from other sites are refused' },
  'not-found': { status: 404, title: 'Not found' },
  'wrong-method': { status: 405, title: 'Method not allowed' },
  ambiguous: { status: 409, title: 'Ambiguous' },
  'already-forgotten': { status: 409, title: 'Already forgotten' },
  'already-there': { status: 409, title: 'Already exists' },
  'bad-directory': { status: 400, title: 'Cannot run in this directory' },
  'bad-envelope': { status: 400, title: 'Envelope not accepted' },
  'no-such-request': { status: 404, title: 'Permission request not found' },
  'run-ended': { status: 409, title: 'The run has ended' },
  'already-answered': { status: 409, title: 'Permission request already settled' },
  'session-busy': { status: 409, title: 'The session is in use' },
  'semantic-unavailable': { status: 503, title: 'Search by meaning is not available' },
  'sdk-missing': { status: 424, title: 'The Agent SDK is missing' },
  'forged-sender': { status: 403, title: 'Sender and token do not match' },
  'too-large': { status: 413, title: 'The request is too large' },
  'wrong-status': { status: 409, title: 'Not possible in this status' },
  'not-participant': { status: 403, title: 'You are not a participant' },
  'not-coordinator': { status: 403, title: 'Only the coordinator may do this' },
  'not-curator': { status: 403, title: 'Only the curator may do this' },
  'own-finding': { status: 403, title: 'You cannot validate your own findings' },
  'own-claim': { status: 403, title: 'You cannot verify your own words' },
  'live-children': { status: 409, title: 'It has open children' },
  'parent-ended': { status: 409, title: 'The parent has ended' },
  'not-archived': { status: 409, title: 'Only archived sidebars can be forked' },
  'no-target': { status: 409, title: 'Nothing to merge into' },
  'pending-findings': { status: 409, title: 'Findings are pending' },
  'open-conflict': { status: 409, title: 'Findings contradict each other' },
  'unchecked-package': { status: 409, title: 'The merge was not checked' },
  'outdated-package': { status: 409, title: 'The merge is outdated' },
  'epoch-changed': { status: 409, title: 'The board was restored' },
  'changed-since': { status: 409, title: 'Changed in the meantime' },
  'retired-agent': { status: 409, title: 'The agent is retired' },
  'message-id-reused': { status: 409, title: 'The message id belongs to another command' },
  'untrue-claim': { status: 409, title: 'Claim does not match' },
  'no-match': { status: 404, title: 'No match' },
  'at-capacity': { status: 409, title: 'At capacity' },
  'recovery-needed': { status: 503, title: 'Recovery comes first' },
  'limit-reached': { status: 429, title: 'Limit reached' },
  'newer-board': { status: 503, title: 'The board was written by a newer version' },
  'blocked-in-emergency': { status: 503, title: 'Not possible while the log is away' },
  'emergency-only': { status: 503, title: 'Only the emergency cache is there' },
  'emergency-full': { status: 507, title: 'No room left in the queue' },
  cancelled: { status: 499, title: 'Cancelled' },
  'upgrade-needed': { status: 426, title: 'WebSocket required' },
  'too-many-clients': { status: 503, title: 'Too many clients are connected' },
  'store-full': { status: 507, title: 'No room left to write' },
  'store-failing': { status: 503, title: 'The disk reports errors' },
  'outcome-unknown': { status: 503, title: 'Unknown whether it was written' },
  'store-unavailable': { status: 503, title: 'The store is unavailable' },
  'store-damaged': { status: 500, title: 'The store is damaged' },
  internal: { status: 500, title: 'Internal error' },
} as const satisfies Readonly<Record<RejectionCode, unknown>> & Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** `detail` is worded for one door; to show it elsewhere, word it again from `reason` and `facts`, if present (WORDS-5). */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly reason?: string;
  readonly facts?: object;
};

/** RFC 9457, with two members of our own. */
export const problemOf = (code: ProblemCode, detail: string, told: { readonly reason?: string; readonly facts?: object } = {}): Problem => ({
  type: `urn:yarnboard:problem:${code}`,
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  code,
  detail,
  ...(told.reason === undefined || told.facts === undefined ? {} : { reason: told.reason, facts: told.facts }),
});
