import type { Outcome } from '@yarnboard/protocol';

/** The server did not do it: a stable code, and a sentence for people. */
export class AskRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'AskRefused';
    this.code = code;
  }
}

/** PAGE-194: agents are told which operation helps, "(sidebar_fork)"; people have a button for it. */
export const inPlainWords = (refusal: string): string => refusal.replaceAll(/ \([a-z]+(?:_[a-z]+)+\)/gu, '');

/** Whoever only reads is told so before they try. */
export const READING_ONLY = 'Read-only. Run “yarnboard open” to sign in.';

/** Why it was not done; null when it was. */
export const refusalIn = (outcome: Outcome<unknown>): string | null => {
  switch (outcome.kind) {
    case 'done':
    case 'done-before':
      return null;
    case 'rejected':
      return inPlainWords(outcome.message);
    case 'unknown':
      return outcome.why;
    default:
      return outcome;
  }
};
