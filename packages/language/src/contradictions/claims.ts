import { remembered, type Remembered } from '../remembered.ts';
import { claimOf, type Claim } from './claim.ts';

export type ClaimsOptions = {
  /** Takes secrets out: a contradiction is told in words of the claims, in lower case and without what stood around them, where no secret is recognised. */
  readonly mask: (text: string) => string;
  readonly mostCharacters: number;
};

/** Whatever happens to a finding, its text stays the same: by it a claim is found again. */
export const createClaims = ({ mask, mostCharacters }: ClaimsOptions): Remembered<Claim> => remembered((text) => claimOf(mask(text)), mostCharacters);
