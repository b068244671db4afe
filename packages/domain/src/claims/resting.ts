import { findingNamed } from '../board/references.ts';
import { linked } from '../board/links.ts';
import { goldOf, type Board } from '../board/state.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { stateTtl } from './validation-history.ts';
import { claimsByExchange, markOfClaim, markOfExchange, type Mark } from './marks.ts';
import type { Claim } from './state.ts';

/** What was found out about an exchange in another sidebar. */
export type Elsewhere = { readonly sidebar: Sidebar; readonly mark: Mark };

/**
 * CLAIM-8: judgements that count only in their own sidebar, latest first and limited. When asking about many exchanges, each other sidebar's claims
 * are sorted once.
 */
export const elsewhereOf = (board: Board, { id: here }: Pick<Sidebar, 'id'>, now: number): ((exchange: string) => readonly Elsewhere[]) => {
  const ttl = stateTtl(board);
  const sorted = new Map<string, ReadonlyMap<string, readonly Claim[]>>();
  const claimsIn = (sidebar: Sidebar): ReadonlyMap<string, readonly Claim[]> => {
    const known = sorted.get(sidebar.id) ?? claimsByExchange(sidebar.claims);
    sorted.set(sidebar.id, known);
    return known;
  };
  return (exchange) => {
    const marked = linked(board, 'marked', exchange);
    if (marked.length === 0 || (marked.length === 1 && marked[0] === here)) return [];
    return marked
      .filter((id) => id !== here)
      .slice(-MOST_ELSEWHERE)
      .flatMap((id) => {
        const sidebar = board.sidebars.get(id);
        if (sidebar === undefined) return [];
        const mark = markOfExchange(claimsIn(sidebar).get(exchange) ?? [], now, ttl);
        return mark.verification === 'unverified' && mark.was === null ? [] : [{ sidebar, mark }];
      })
      .toReversed();
  };
};

/** CLAIM-12: the references that were contradicted in the sidebar, directly or through what they rest on. */
export const restingOnContradicted = (board: Board, sidebar: Sidebar, refs: readonly string[], now: number): readonly string[] => {
  const wrong = contradictedIn(sidebar, now, stateTtl(board));
  if (wrong.size === 0) return [];
  const found = new Set<string>();
  const seen = new Set<string>();
  const queue = [...refs];
  for (let ref = queue.pop(); ref !== undefined && seen.size < MOST_FOLLOWED; ref = queue.pop()) {
    if (seen.has(ref)) continue;
    seen.add(ref);
    const exchange = wrong.get(ref);
    if (exchange !== undefined) found.add(exchange);
    queue.push(...(findingNamed(board, ref)?.finding.sourceRefs ?? goldOf(board, ref)?.sourceRefs ?? []));
  }
  return [...found];
};

/** By exchange and by message: the exchange that was contradicted, as a whole or in part. */
const contradictedIn = ({ claims }: Sidebar, now: number, ttl: number): ReadonlyMap<string, string> => {
  const wrong = new Map<string, string>();
  for (const [exchange, all] of claimsByExchange(claims)) {
    const parts = all.filter((claim) => markOfClaim(claim, now, ttl).verification === 'contradicted');
    if (parts.length === 0) continue;
    wrong.set(exchange, exchange);
    for (const { messages } of parts) for (const ref of messages) wrong.set(ref, exchange);
  }
  return wrong;
};

const MOST_ELSEWHERE = 20;
const MOST_FOLLOWED = 1000;
