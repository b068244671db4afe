import type { Sidebar } from '../sidebar/state.ts';
import { claimsByExchange, markOfClaim } from './marks.ts';
import { needsReview } from './state.ts';

/** The references to exchanges, or to messages in them, that somebody still has to judge here: people or checks disagree about them. */
export const reviewsOpenBelow = ({ claims }: Pick<Sidebar, 'claims'>, refs: readonly string[], now: number, ttl: number): readonly string[] => {
  if (claims.length === 0) return [];
  const wanted = new Set(refs);
  return [...claimsByExchange(claims)].flatMap(([exchange, all]) => {
    const open = all.filter((claim) => markOfClaim(claim, now, ttl).isDisputed || needsReview(claim));
    return open.some(({ messages }) => wanted.has(exchange) || messages.some((ref) => wanted.has(ref))) ? [exchange] : [];
  });
};
