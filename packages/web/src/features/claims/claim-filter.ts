import {
  CLAIM_CLASSES,
  CLAIM_TYPES,
  classOf,
  markOfClaim,
  needsReview,
  STATE_TTL,
  type Claim,
  type ClaimClass,
  type ClaimType,
} from '@yarnboard/domain';
import type { Choice } from '../../ui/field.tsx';
import { typeTitle } from './mark-look.ts';

export const CLAIM_MARKS = ['confirmed', 'contradicted', 'unverified', 'open'] as const;
export type ClaimMark = (typeof CLAIM_MARKS)[number];

/** Which claims to list; null means all. */
export type ClaimFilter = { readonly mark: ClaimMark | null; readonly type: ClaimType | null; readonly class: ClaimClass | null };

/** The filter in an address; unknown values are ignored. */
export const filterIn = (params: URLSearchParams): ClaimFilter => ({
  mark: CLAIM_MARKS.find((one) => one === params.get('mark')) ?? null,
  type: CLAIM_TYPES.find((one) => one === params.get('type')) ?? null,
  class: CLAIM_CLASSES.find((one) => one === params.get('class')) ?? null,
});

/** People or checks disagree, and someone has to decide. Age makes no difference. */
export const isOpenClaim = (claim: Claim): boolean => needsReview(claim) || markOfClaim(claim, 0, STATE_TTL).isDisputed;

export const claimsThatFit = (claims: readonly Claim[], filter: ClaimFilter, now: number, ttl: number): readonly Claim[] => {
  const { mark, type, class: kind } = filter;
  const isMarked = (claim: Claim): boolean =>
    mark === null || (mark === 'open' ? isOpenClaim(claim) : markOfClaim(claim, now, ttl).verification === mark);
  return claims
    .filter(
      (claim) =>
        (type === null || claim.type === type) && (kind === null || (claim.type !== null && classOf(claim.type) === kind)) && isMarked(claim),
    )
    .toReversed();
};

export const MARK_CHOICES: readonly Choice[] = [
  { value: '', label: 'Any mark' },
  { value: 'open', label: 'Needs a decision' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'contradicted', label: 'Contradicted' },
  { value: 'unverified', label: 'Unverified' },
];

export const CLASS_CHOICES: readonly Choice[] = [
  { value: '', label: 'Any class' },
  ...CLAIM_CLASSES.map((one) => ({ value: one, label: { factual_checkable: 'Facts', system_state: 'States', judgement: 'Judgement' }[one] })),
];

/** Only the types that occur, plus the one that is asked for. */
export const typeChoices = (claims: readonly Claim[], asked: ClaimType | null): readonly Choice[] => {
  const there = new Set([...claims.map(({ type }) => type), asked]);
  return [{ value: '', label: 'Any type' }, ...CLAIM_TYPES.filter((one) => there.has(one)).map((one) => ({ value: one, label: typeTitle(one) }))];
};
