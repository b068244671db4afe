import {
  decide,
  isOperator,
  isValidationType,
  markOfClaim,
  NO_LANGUAGE,
  stateTtl,
  type Actor,
  type Board,
  type Claim,
  type Command,
} from '@yarnboard/domain';
import { useActor, useBoard, useLive } from '../../live/hooks.tsx';

/** What the current user may do with a claim. */
export type ClaimVerdict = {
  readonly canJudge: boolean;
  readonly canTakeBack: boolean;
  readonly canSettle: boolean;
  readonly canOverrule: boolean;
  /** `core`: only the assertion in a hedged sentence can be checked, and only on request. */
  readonly check: 'plain' | 'core' | null;
};

/** PAGE-472: the domain decides who may do what. */
export const useClaimVerdict = (sidebarId: string, claim: Claim): ClaimVerdict => {
  const actor = useActor();
  const { now } = useLive();
  return useBoard((board) => (actor === null ? NOTHING : verdictOn(board, sidebarId, actor, now(), claim)), [sidebarId, actor?.id, claim]);
};

const verdictOn = (board: Board, sidebar: string, actor: Actor, now: number, claim: Claim): ClaimVerdict => {
  // The exchange it was about has been forgotten.
  if (claim.exchange === '') return NOTHING;
  const facts = { now, actor, newId: () => 'not-sent', refs: new Map(), isInherited: () => false, surfacings: () => [], language: NO_LANGUAGE };
  const isAllowed = (command: Command): boolean => decide(board, command, facts).ok;
  const { id } = claim;
  const canCheck = (): boolean => {
    const kind = isValidationType(claim.type) ? claim.type : 'current_state';
    const report = { kind, isDenied: false, subject: '', attempts: [], files: [], duration: 0 };
    return isAllowed({ type: 'claim.validate', sidebar, claim: id, isAuto: false, isCore: claim.type === 'hypothesis', report });
  };
  const isCheckable = claim.words !== null && (isValidationType(claim.type) || claim.type === 'hypothesis');
  return {
    canJudge: isAllowed({ type: 'claim.verify', sidebar, claim: id, verification: 'confirmed' }),
    canTakeBack: claim.judgements.some(({ by }) => by === actor.id),
    canSettle:
      markOfClaim(claim, now, stateTtl(board)).isDisputed &&
      isAllowed({ type: 'claim.settle', sidebar, claim: id, verification: 'confirmed', notes: '…' }),
    canOverrule: isOperator(actor) && isAllowed({ type: 'validation.overrule', sidebar, claim: id, verification: 'confirmed', reason: '…' }),
    check: isCheckable && canCheck() ? (claim.type === 'hypothesis' ? 'core' : 'plain') : null,
  };
};

const NOTHING: ClaimVerdict = { canJudge: false, canTakeBack: false, canSettle: false, canOverrule: false, check: null };
