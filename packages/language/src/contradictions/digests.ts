import { maskSecrets } from '../policies/masking.ts';
import { claimOf, type Claim } from './conflicts.ts';

/** Claims of texts, made once as long as there is room for them. Nothing is told by it that the text itself does not tell. */
export type Digests = {
  readonly claimOf: (text: string) => Claim;
  /** Characters of the texts it has room for at the moment. */
  readonly held: () => number;
};

/** Whatever happens to a finding, its text stays the same: by it a claim is found again. What was not asked for longest makes room. */
export const createDigests = (mostCharacters: number): Digests => {
  const claims = new Map<string, Claim>();
  let held = 0;
  const forget = (text: string): void => {
    if (claims.delete(text)) held -= text.length;
  };
  return {
    held: () => held,
    claimOf: (text) => {
      // A contradiction is told in words of the claims, in lower case and without what stood around them: there masking would know no secret.
      const claim = claims.get(text) ?? claimOf(maskSecrets(text).text);
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
