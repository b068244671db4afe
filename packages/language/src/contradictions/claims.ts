import { remembered, type Remembered } from '../remembered.ts';
import { claimOf, type Claim } from './claim.ts';

export type ClaimsOptions = {
  /** Masks secrets first: descriptions use a claim's words in lower case and without context, where no secret is recognised. */
  readonly mask: (text: string) => string;
  readonly mostCharacters: number;
};

/** A finding's text never changes, so it is the key of the cached claim. */
export const createClaims = ({ mask, mostCharacters }: ClaimsOptions): Remembered<Claim> => remembered((text) => claimOf(mask(text)), mostCharacters);
