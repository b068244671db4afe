import type { Sidebar } from '../sidebar/state.ts';
import { claimsByExchange, markOfClaim } from './marks.ts';

/** Those of some references to exchanges, or to messages in them, about which others disagree in this sidebar and nobody has settled it. */
export const reviewsOpenBelow = ({ claims }: Pick<Sidebar, 'claims'>, refs: readonly string[], now: number): readonly string[] => {
  if (claims.length === 0) return [];
  const wanted = new Set(refs);
  return [...claimsByExchange(claims)].flatMap(([exchange, all]) => {
    const open = all.filter((claim) => markOfClaim(claim, now).isDisputed);
    return open.some(({ messages }) => wanted.has(exchange) || messages.some((ref) => wanted.has(ref))) ? [exchange] : [];
  });
};
