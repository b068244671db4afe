import type { RejectionCode } from '@yarnboard/domain';

/** Why a request was refused: a stable code, an HTTP status, and a sentence that says what to do. */
export const PROBLEMS = {
  'bad-request': { status: 400, title: 'The request cannot be understood' },
  'bad-reference': { status: 400, title: 'This is no reference' },
  'token-needed': { status: 401, title: 'A token is needed' },
  'bad-token': { status: 401, title: 'The token is not valid' },
  'bad-key': { status: 403, title: 'The link does not open the page' },
  'operator-only': { status: 403, title: 'Only the human operator may do this' },
  'foreign-host': { status: 403, title: 'Requests for another host are refused' },
  'foreign-origin': { status: 403, title: 'Requests from other sites are refused' },
  'not-found': { status: 404, title: 'There is no such thing' },
  'wrong-method': { status: 405, title: 'This method is not allowed here' },
  ambiguous: { status: 409, title: 'This fits several' },
  'already-forgotten': { status: 409, title: 'The payload is gone already' },
  'already-there': { status: 409, title: 'There is something already' },
  'bad-directory': { status: 400, title: 'Nothing can be run in this directory' },
  'bad-envelope': { status: 400, title: 'This envelope is not taken' },
  'no-such-request': { status: 404, title: 'There is no such permission request' },
  'run-ended': { status: 409, title: 'The run has ended' },
  'already-answered': { status: 409, title: 'The permission request is settled already' },
  'session-busy': { status: 409, title: 'Somebody else has the session' },
  'sdk-missing': { status: 424, title: 'The Agent SDK is not there' },
  'forged-sender': { status: 403, title: 'You are somebody else' },
  'too-large': { status: 413, title: 'The request is too large' },
  'wrong-status': { status: 409, title: 'It is in another state' },
  'not-participant': { status: 403, title: 'You do not take part' },
  'not-coordinator': { status: 403, title: 'Only the coordinator may do this' },
  'not-curator': { status: 403, title: 'Only the curator may do this' },
  'own-finding': { status: 403, title: 'Nobody validates their own findings' },
  'live-children': { status: 409, title: 'It has children at work' },
  'parent-ended': { status: 409, title: 'The parent has ended' },
  'not-archived': { status: 409, title: 'Only archived work is forked' },
  'no-target': { status: 409, title: 'There is nothing to merge into' },
  'pending-findings': { status: 409, title: 'Findings are pending' },
  'open-conflict': { status: 409, title: 'Findings contradict each other' },
  'unchecked-package': { status: 409, title: 'The merge package is not checked' },
  'outdated-package': { status: 409, title: 'The merge package is outdated' },
  'changed-since': { status: 409, title: 'Something has changed since' },
  'retired-agent': { status: 409, title: 'The agent is retired' },
  'newer-board': { status: 503, title: 'The board was written by a newer version' },
  cancelled: { status: 499, title: 'Cancelled' },
  'upgrade-needed': { status: 426, title: 'This is for WebSockets' },
  'too-many-clients': { status: 503, title: 'Too many clients are connected' },
  'store-full': { status: 507, title: 'The disk is full' },
  'store-unavailable': { status: 503, title: 'The store cannot do this now' },
  'store-damaged': { status: 500, title: 'The store is damaged' },
  internal: { status: 500, title: 'A fault of ours' },
} as const satisfies Readonly<Record<RejectionCode, unknown>> & Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

export type Problem = { readonly type: string; readonly title: string; readonly status: number; readonly code: ProblemCode; readonly detail: string };

/** RFC 9457. */
export const problemOf = (code: ProblemCode, detail: string): Problem => ({
  type: `urn:yarnboard:problem:${code}`,
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  code,
  detail,
});
