import {
  activeFocus,
  classOf,
  elsewhereOf,
  itemIn,
  markOfClaim,
  marksOf,
  needsReview,
  OPERATOR,
  parseRef,
  refOfClaim,
  stateTtl,
  type Board,
  type Claim,
  type Sidebar,
} from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import { latestPageOf } from '../request/cursor.ts';
import { refusedFor } from '../request/refusal.ts';
import { claimView } from './claim-views.ts';

export type ClaimsNeeds = { readonly now: () => number };

export const listClaims = (board: Board, sidebar: Sidebar, input: InputOf<'claims'>, now: number): object => {
  const fits = (claim: Claim): boolean =>
    (input.verification === undefined || markOfClaim(claim, now, stateTtl(board)).verification === input.verification) &&
    (input.claim_type === undefined || claim.type === input.claim_type) &&
    (input.class === undefined || (claim.type !== null && classOf(claim.type) === input.class));
  const { items, nextCursor } = latestPageOf(sidebar.claims.filter(fits), (one) => one, input);
  const elsewhere = elsewhereOf(board, sidebar, now);
  return { items: items.map((claim) => claimView(board, sidebar, claim, now, elsewhere)), nextCursor };
};

/** A claim by its number, or the claim on an exchange as a whole. */
export const showClaim = (board: Board, sidebar: Sidebar, asked: string, now: number): object => {
  const read = parseRef(asked);
  const isExchange = read.ok && read.value.kind === 'numbered' && read.value.type === 'EXCH';
  const claim = isExchange
    ? sidebar.claims.find(({ exchange, words }) => exchange === asked.toUpperCase() && words === null)
    : itemIn(sidebar.claims, sidebar, 'CLAIM', asked);
  if (claim === undefined) throw refusedFor('unknown-claim', { sidebar: sidebar.ref, asked: asked.slice(0, 100) });
  return claimView(board, sidebar, claim, now);
};

/** CLAIM-11: exchanges in focus that nobody has verified yet. Their author isn't asked, and the human only if no one else takes part. */
export const toVerify = async (
  log: Store['log'],
  sidebars: readonly Sidebar[],
  agentId: string,
  now: number,
  ttl: number,
): Promise<readonly Waiting[]> => {
  const waiting: Waiting[] = [];
  for (const sidebar of sidebars) {
    if (!isAsked(sidebar, agentId)) continue;
    const marks = marksOf(sidebar, now, ttl);
    for (const exchange of activeFocus(sidebar)) {
      const mark = marks.get(exchange);
      const isOpen = mark === undefined || (mark.verification === 'unverified' && !mark.isDisputed);
      if (isOpen && !(await isOwn(log, exchange, agentId))) waiting.push({ sidebarId: sidebar.ref, exchangeId: exchange });
    }
  }
  return waiting;
};

type Waiting = { readonly sidebarId: string; readonly exchangeId: string };

const isAsked = (sidebar: Sidebar, agentId: string): boolean =>
  sidebar.participants.includes(agentId) && (agentId !== OPERATOR.id || sidebar.participants.length === 1);

const isOwn = async (log: Store['log'], exchange: string, agentId: string): Promise<boolean> => {
  const read = parseRef(exchange);
  const position = read.ok && read.value.kind === 'numbered' ? await log.positionOfRef('EXCH', read.value.number) : null;
  return agentId !== OPERATOR.id && position !== null && (await log.entryAt(position))?.sender === agentId;
};

/** CLAIM-11: disputed claims wait for the curator, or for the human if the curator is gone or made the claim. */
export const toSettle = (
  sidebars: readonly Sidebar[],
  settler: (sidebar: Sidebar, claim: Claim) => string,
  agentId: string,
  { now, ttl }: { readonly now: number; readonly ttl: number },
) =>
  sidebars.flatMap((sidebar) =>
    sidebar.claims
      .filter((claim) => claim.judgements.length > 1 && settler(sidebar, claim) === agentId)
      .flatMap((claim) => {
        const mark = markOfClaim(claim, now, ttl);
        if (!mark.isDisputed) return [];
        return [{ sidebarId: sidebar.ref, claimId: refOfClaim(sidebar.ref, claim), exchangeId: claim.exchange, agents: mark.by }];
      }),
  );

/** VAL-12: conflicting checks wait for the human, with the result of each. */
export const toJudge = (sidebars: readonly Sidebar[]) =>
  sidebars.flatMap((sidebar) =>
    sidebar.claims.filter(needsReview).map((claim) => ({
      sidebarId: sidebar.ref,
      claimId: refOfClaim(sidebar.ref, claim),
      claim: claim.words ?? claim.exchange,
      conflicts: claim.validation?.conflicts ?? [],
    })),
  );
