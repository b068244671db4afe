import type { ReasonShape } from '@yarnboard/domain';
import type { ProblemCode } from '../registry/problems.ts';

const reason = <const Code extends ProblemCode, const Facts extends ReasonShape<Code>['facts']>(code: Code, facts: Facts) => ({ code, facts });

/** Why the server itself refuses a request, where saying it takes words of the door. */
export const SERVER_REASONS = {
  'token-needed': reason('token-needed', { operation: 'text' }),
  'reading-needs-token': reason('token-needed', { operation: 'text' }),
  'operator-token-needed': reason('token-needed', { operation: 'text' }),
  'operation-for-operator': reason('operator-only', { operation: 'text', actor: 'text' }),
  'secrets-for-operator': reason('operator-only', {}),
  'forged-sender': reason('forged-sender', { actor: 'text', claimed: 'text' }),
  'token-shown-once': reason('already-there', { agent: 'text' }),
  'bad-input': reason('bad-request', { complaints: 'complaints' }),
  'unknown-input': reason('bad-request', { asked: 'text', known: 'texts' }),
  'bad-cursor': reason('bad-request', { asked: 'text' }),
  'cursor-gone': reason('bad-request', {}),
  'not-a-time': reason('bad-request', { asked: 'text' }),
  'beyond-the-log': reason('bad-request', { seq: 'number', end: 'number' }),
  'one-source-only': reason('bad-request', {}),
  'one-content-only': reason('bad-request', {}),
  'unknown-upload': reason('not-found', { asked: 'text' }),
  'not-on-board': reason('not-found', { asked: 'text' }),
  'unknown-session': reason('not-found', { asked: 'text' }),
  'several-sessions': reason('ambiguous', { asked: 'text', ids: 'texts' }),
  'unknown-sub-agent': reason('not-found', { session: 'text', asked: 'text' }),
  'one-branch-only': reason('bad-request', { asked: 'text' }),
  'unknown-run': reason('not-found', { run: 'text' }),
  'run-ended': reason('run-ended', { run: 'text' }),
  'session-in-terminal': reason('session-busy', { session: 'text' }),
  'session-has-run': reason('session-busy', { session: 'text', run: 'text' }),
  'unknown-request': reason('no-such-request', { run: 'text', request: 'text' }),
  'resume-missing': reason('bad-request', {}),
  'directory-missing': reason('bad-request', {}),
  'directory-unknown': reason('bad-directory', { session: 'text' }),
  'inputs-do-not-fit': reason('bad-request', { inputs: 'texts', input: 'text', value: 'text' }),
  'text-or-envelope': reason('bad-request', {}),
  'bad-action': reason('bad-request', { tool: 'text', asked: 'text-or-null', known: 'texts' }),
  'unknown-operation': reason('bad-request', { asked: 'text', known: 'texts' }),
  'bad-place': reason('bad-request', { asked: 'text' }),
  'answer-changed': reason('changed-since', {}),
  'question-too-large': reason('too-large', { operation: 'text' }),
} as const satisfies Readonly<Record<string, ReasonShape<ProblemCode>>>;
