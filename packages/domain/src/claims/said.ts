import type { ClaimType } from '../messages/marks.ts';

/** The parts of an exchange's message that matter for claims. */
export type ExchangeMessage = {
  readonly ref: string | null;
  readonly by: string;
  readonly text: string;
  readonly confidence: number | null;
};

/** The messages of an exchange that a sidebar inherited. */
export type ExchangeFact = { readonly messages: readonly ExchangeMessage[] };

/** A claim that the rules found in a text: its start, its words and its type. */
export type FoundClaim = { readonly from: number; readonly words: string; readonly type: ClaimType };
