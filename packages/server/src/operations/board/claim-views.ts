import {
  claimsByExchange,
  classOf,
  effectiveConfidence,
  elsewhere,
  markOfClaim,
  marksOf,
  needsReview,
  refOfClaim,
  stateTtl,
  UNVERIFIED,
  type Board,
  type Claim,
  type Mark,
  type Sidebar,
} from '@yarnboard/domain';
import { sidebarName } from './names.ts';
import { validationView } from './validation-views.ts';

/** One claim with every judgement on it, here and in other sidebars. */
export const claimView = (board: Board, sidebar: Sidebar, claim: Claim, now: number) => {
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
    elsewhere: claim.exchange === '' ? [] : elsewhereView(board, sidebar, claim.exchange, now),
  };
};

/** CLAIM-10: the fields that an inherited message has besides, and what they rest on. */
export const inheritedView = (board: Board, sidebar: Sidebar, now: number) => {
  const claims = claimsByExchange(sidebar.claims);
  const marks = marksOf(sidebar, now, stateTtl(board));
  const from = { inheritedFrom: inheritedFrom(board, sidebar), inheritedAt: new Date(sidebar.createdAt).toISOString() };
  return (exchange: string | null, original: number | null) => {
    const mark = (exchange === null ? undefined : marks.get(exchange)) ?? UNVERIFIED;
    const others = exchange === null ? [] : elsewhereView(board, sidebar, exchange, now);
    const made = exchange === null ? [] : (claims.get(exchange) ?? []).map((claim) => refOfClaim(sidebar.ref, claim));
    return {
      ...from,
      localVerification: mark.verification,
      ...confidences(original, mark),
      mark: made.length + others.length === 0 ? null : { ...markView(mark), assumed: mark.isAssumed, claims: made, elsewhere: others },
    };
  };
};

const inheritedFrom = (board: Board, { origin }: Sidebar): string | null =>
  origin.kind === 'none' ? null : origin.kind === 'session' ? origin.sessionId : sidebarName(board, origin.sidebarId);

/** What was said in the sidebar itself is not inherited. */
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

const elsewhereView = (board: Board, sidebar: Sidebar, exchange: string, now: number) =>
  elsewhere(board, sidebar, exchange, now).map((one) => ({ sidebarId: one.sidebar.ref, ...markView(one.mark) }));

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
