import type { Rejection } from '@yarnboard/domain';
import { reworded, words, type Outcome } from '@yarnboard/protocol';

/** The server did not do it: a stable code, and a sentence for people. */
export class AskRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'AskRefused';
    this.code = code;
  }
}

/** PAGE-194: what the domain refuses, in the words of the page: people have buttons where agents are told of operations. */
export const inPlainWords = (rejection: Rejection): string => words(rejection, 'page');

/** The same of what the server refused. */
export const refusalWords = (outcome: Extract<Outcome<unknown>, { kind: 'rejected' }>): string => reworded(outcome, outcome.message, 'page');

/** Whoever only reads is told so before they try. */
export const READING_ONLY = 'Read-only. Run “yarnboard open” to sign in.';

/** Why it was not done; null when it was. */
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
