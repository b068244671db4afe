import {
  claimsByExchange,
  classOf,
  effectiveConfidence,
  elsewhereOf,
  markOfClaim,
  markOfExchange,
  needsReview,
  refOfClaim,
  stateTtl,
  UNVERIFIED,
  type Board,
  type Claim,
  type Elsewhere,
  type Mark,
  type Sidebar,
} from '@yarnboard/domain';
import { sidebarName } from './names.ts';
import { validationView } from './validation-views.ts';

/** One claim with all its judgements, from this sidebar and others. */
export const claimView = (board: Board, sidebar: Sidebar, claim: Claim, now: number, elsewhere = elsewhereOf(board, sidebar, now)) => {
  const mark = markOfClaim(claim, now, stateTtl(board));
  const { settlement } = claim;
  return {
    claimId: refOfClaim(sidebar.ref, claim),
    uuid: claim.id,
    sidebarId: sidebar.ref,
    exchangeId: claim.exchange === '' ? null : claim.exchange,
    messageIds: claim.messages,
    words: claim.words,
    type: claim.type,
    class: claim.type === null ? null : classOf(claim.type),
    saidBy: claim.saidBy,
    ...markView(mark),
    assumed: mark.isAssumed,
    ...confidences(claim.originalConfidence, mark),
    judgements: claim.judgements.map(judgementView),
    settlement: settlement === null ? null : judgementView({ ...settlement, evidence: [] }),
    validation: claim.validation === null || claim.exchange === '' ? null : validationView(claim.words ?? '', claim.validation, needsReview(claim)),
    elsewhere: claim.exchange === '' ? [] : elsewhere(claim.exchange).map(elsewhereView),
  };
};

/**
 * CLAIM-10: the extra fields of an inherited message, and the claims they rest on. Marks are computed on demand, because a sidebar may have ten
 * thousand claims.
 */
export const inheritedView = (board: Board, sidebar: Sidebar, now: number) => {
  const claims = claimsByExchange(sidebar.claims);
  const ttl = stateTtl(board);
  const from = inheritedFrom(board, sidebar);
  const elsewhere = elsewhereOf(board, sidebar, now);
  const at = new Date(sidebar.createdAt).toISOString();
  return (exchange: string | null, original: number | null) => {
    const own = exchange === null ? [] : (claims.get(exchange) ?? []);
    const mark = own.length === 0 ? UNVERIFIED : markOfExchange(own, now, ttl);
    const others = exchange === null ? [] : elsewhere(exchange).map(elsewhereView);
    return {
      inheritedFrom: from,
      inheritedAt: at,
      localVerification: mark.verification,
      originalConfidence: original,
      localConfidence: mark.localConfidence,
      effectiveConfidence: effectiveConfidence(mark),
      mark: own.length + others.length === 0 ? null : exchangeMarkView(sidebar, own, mark, others),
    };
  };
};

/** CLAIM-19: the exchanges that an agent or a check has judged here, contradicted ones first. All others are unverified. */
export const judgedView = (board: Board, sidebar: Sidebar, now: number) => {
  const viewOf = inheritedView(board, sidebar, now);
  const rankOf = ({ localVerification, mark }: ReturnType<typeof viewOf>): number =>
    localVerification === 'contradicted' ? 0 : mark?.disputed === true ? 1 : localVerification === 'confirmed' ? 2 : 3;
  return [...claimsByExchange(sidebar.claims)]
    .filter(([, claims]) =>
      claims.some(({ judgements, settlement, validation }) => judgements.length > 0 || settlement !== null || validation !== null),
    )
    .map(([exchangeId, claims]) => ({
      exchangeId,
      ...viewOf(exchangeId, claims.find(({ originalConfidence }) => originalConfidence !== null)?.originalConfidence ?? null),
    }))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, MOST_TOLD);
};

const MOST_TOLD = 50;

export const exchangeMarkView = (
  sidebar: Pick<Sidebar, 'ref'>,
  claims: readonly Claim[],
  mark: Mark,
  others: readonly ReturnType<typeof elsewhereView>[],
) => ({
  ...markView(mark),
  assumed: mark.isAssumed,
  claims: claims.map((claim) => refOfClaim(sidebar.ref, claim)),
  elsewhere: others,
});

export const inheritedFrom = (board: Board, { origin }: Sidebar): string | null =>
  origin.kind === 'none' ? null : origin.kind === 'session' ? origin.sessionId : sidebarName(board, origin.sidebarId);

/** For messages said in the sidebar itself: nothing about them is inherited. */
export const LOCAL = {
  originalConfidence: null,
  inheritedFrom: null,
  inheritedAt: null,
  localVerification: null,
  localConfidence: null,
  effectiveConfidence: null,
  mark: null,
} as const;

const confidences = (originalConfidence: number | null, mark: Mark) => ({
  originalConfidence,
  localConfidence: mark.localConfidence,
  effectiveConfidence: effectiveConfidence(mark),
});

const markView = ({ verification, was, isDisputed, by, at }: Mark) => ({
  verification,
  was,
  disputed: isDisputed,
  markedBy: by,
  markedAt: at === null ? null : new Date(at).toISOString(),
});

export const elsewhereView = ({ sidebar, mark }: Elsewhere) => ({ sidebarId: sidebar.ref, ...markView(mark) });

const judgementView = ({ by, verification, confidence, isAssumed, notes, evidence, at }: Judged) => ({
  by,
  verification,
  confidence,
  assumed: isAssumed,
  notes,
  evidence,
  at: new Date(at).toISOString(),
});

type Judged = Pick<NonNullable<Claim['settlement']>, 'by' | 'verification' | 'confidence' | 'isAssumed' | 'notes' | 'at'> & {
  readonly evidence: readonly string[];
};
