import { hasFacts, REASONS, type FactsOf } from '@yarnboard/domain';
import type { ProblemCode } from '../registry/problems.ts';
import type { OperationName } from '../registry/registry.ts';
import { BOARD_WORDS } from './board-words.ts';
import { SERVER_REASONS } from './refusals.ts';
import { SERVER_WORDS } from './server-words.ts';
import { inputOfField, vocabularyOf, type Door, type Say, type Sentence, type WordsFor } from './vocabulary.ts';

/** Every reason for a refusal: the board's own, and the server's. */
export const ALL_REASONS = { ...REASONS, ...SERVER_REASONS } as const;

export type Reason = keyof typeof ALL_REASONS;

export type ReasonFacts<R extends Reason> = FactsOf<(typeof ALL_REASONS)[R]['facts']>;

/** A refusal before it is put into words. */
export type Told = { readonly [R in Reason]: { readonly reason: R; readonly facts: ReasonFacts<R> } }[Reason];

const WORDS: WordsFor<typeof ALL_REASONS> = { ...BOARD_WORDS, ...SERVER_WORDS };

/** The sentence for a refusal in the words of a door, for a caller of this operation. */
export const words = ({ reason, facts }: Told, door: Door, asked: OperationName | null = null): string => {
  const tell = WORDS[reason] as (facts: unknown, say: Say) => Sentence; // a reason and its facts belong together by `Told`
  const said = tell(facts, vocabularyOf(door, asked));
  const parts = (typeof said === 'string' ? [said] : said).filter((part) => part !== null && part !== '') as readonly string[]; // checked in this line
  return door === 'page' ? parts.map(asSentence).join(' ') : parts.join('; ');
};

const asSentence = (part: string): string => `${part.charAt(0).toUpperCase()}${part.slice(1)}${/[.?!]$/u.test(part) ? '' : '.'}`;

export const codeOf = (reason: Reason): ProblemCode => ALL_REASONS[reason].code;

/** A refusal as sent: fields by their wire names. */
export const outward = ({ reason, facts }: Told, asked: OperationName | null): Told =>
  ('field' in facts ? { reason, facts: { ...facts, field: inputOfField(facts.field, asked) } } : { reason, facts }) as Told; // the same facts except for a name

/** A refusal received over the wire; null if there is none, or only another version knows it. */
export const toldIn = ({ reason, facts }: { readonly reason?: unknown; readonly facts?: unknown }): Told | null =>
  typeof reason === 'string' && Object.hasOwn(ALL_REASONS, reason) && hasFacts(ALL_REASONS[reason as Reason].facts, facts)
    ? ({ reason, facts } as Told) // both lines have checked it
    : null;

/** A refusal received over the wire, in the words of a door; in its original words if there are no others. */
export const reworded = (
  refusal: { readonly reason?: unknown; readonly facts?: unknown },
  fallback: string,
  door: Door,
  asked: OperationName | null = null,
): string => {
  const told = toldIn(refusal);
  return told === null ? fallback : words(told, door, asked);
};
