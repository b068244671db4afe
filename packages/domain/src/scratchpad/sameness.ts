import { FORGOTTEN } from '../messages/definition.ts';
import { hasSecrets } from '../policies/masking.ts';
import type { Finding } from './state.ts';

/**
 * PAD-21: the first finding of a scratchpad that says the same as a new one: the same words in the same order, ignoring case, white space and
 * surrounding punctuation. Nothing is guessed: "5 s" and "5 seconds" are two findings. SEC-26: one with a secret repeats none, or whoever guessed the
 * secret would hear that it is right.
 */
export const saidBefore = (findings: readonly Finding[], content: string): Finding | null => {
  const beginning = beginningOf(content);
  const whole = plain(content);
  if (whole === '' || content === FORGOTTEN) return null;
  const first = findings.find((finding) => beginningOf(finding.content) === beginning && plain(finding.content) === whole);
  // Looked at only if there is one: most findings repeat none.
  return first === undefined || hasSecrets(content) ? null : first;
};

/** Enough to distinguish most texts, so that very long ones are rarely read in full. */
const beginningOf = (text: string): string => plain(text.slice(0, BEGINNING * 2)).slice(0, BEGINNING);

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replaceAll(AROUND, ''))
    .filter((word) => word !== '')
    .join(' ');

// Only sentence marks and quotes: signs such as -, %, < or / may be the point of a finding.
const AROUND = /^["'“”‘’«»(]+|["'“”‘’«».,;:!?)…]+$/gu;
const BEGINNING = 100;
