import { claimOf, type Claim } from './claim.ts';

/** Claims of texts, made once as long as there is room for them. Nothing is told by it that the text itself does not tell. */
export type Claims = {
  readonly of: (text: string) => Claim;
  /** Characters of the texts it has room for at the moment. */
  readonly held: () => number;
};

export type ClaimsOptions = {
  /** Takes secrets out: a contradiction is told in words of the claims, in lower case and without what stood around them, where no secret is recognised. */
  readonly mask: (text: string) => string;
  readonly mostCharacters: number;
};

/** Whatever happens to a finding, its text stays the same: by it a claim is found again. What was not asked for longest makes room. */
export const createClaims = ({ mask, mostCharacters }: ClaimsOptions): Claims => {
  const claims = new Map<string, Claim>();
  let held = 0;
  const forget = (text: string): void => {
    if (claims.delete(text)) held -= text.length;
  };
  return {
    held: () => held,
    of: (text) => {
      const claim = claims.get(text) ?? claimOf(mask(text));
      forget(text);
      claims.set(text, claim);
      held += text.length;
      for (const oldest of claims.keys()) {
        if (held <= mostCharacters) break;
        forget(oldest);
      }
      return claim;
    },
  };
};
