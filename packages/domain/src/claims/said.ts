import type { ClaimType } from '../messages/marks.ts';

/** One message of an exchange, as far as claims are concerned. */
export type ExchangeMessage = {
  readonly ref: string | null;
  readonly by: string;
  readonly text: string;
  readonly confidence: number | null;
};

/** What was said in an exchange that a sidebar inherited. */
export type ExchangeFact = { readonly messages: readonly ExchangeMessage[] };

/** A claim that the rules found in a text: where it begins, its words and its type. */
export type FoundClaim = { readonly from: number; readonly words: string; readonly type: ClaimType };
