import type { Rejection } from '@yarnboard/domain';
import { reworded, words, type Outcome } from '@yarnboard/protocol';

/** The server refused: a stable code, and a sentence for people. */
export class AskRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'AskRefused';
    this.code = code;
  }
}

/** PAGE-194: a refusal by the domain in the words of the page: people have buttons where agents read of operations. */
export const inPlainWords = (rejection: Rejection): string => words(rejection, 'page');

/** The same for a refusal by the server. */
export const refusalWords = (outcome: Extract<Outcome<unknown>, { kind: 'rejected' }>): string => reworded(outcome, outcome.message, 'page');

/** Read-only users are told so before they try. */
export const READING_ONLY = 'Read-only. Run “yarnboard open” to sign in.';

/** Why it failed; null if it didn't. */
export const refusalIn = (outcome: Outcome<unknown>): string | null => {
  switch (outcome.kind) {
    case 'done':
    case 'done-before':
    case 'queued':
      return null;
    case 'rejected':
      return refusalWords(outcome);
    case 'unknown':
      return outcome.why;
    default:
      return outcome;
  }
};
