import { remembered, type Remembered } from '../remembered.ts';
import { claimOf, type Claim } from './claim.ts';

export type ClaimsOptions = {
  /**
   * Masks secrets. It must run first: a contradiction's description uses words of the claims in lower case and without their context, where nobody
   * would recognise a secret.
   */
  readonly mask: (text: string) => string;
  readonly mostCharacters: number;
};

/** A finding's text never changes, so it is the key of the cached claim. */
export const createClaims = ({ mask, mostCharacters }: ClaimsOptions): Remembered<Claim> => remembered((text) => claimOf(mask(text)), mostCharacters);
