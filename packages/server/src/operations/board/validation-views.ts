import { INCONCLUSIVE, refOfClaim, validationConfig, type Board, type Validation, type ValidationRun } from '@yarnboard/domain';
import { timeOf } from '../../sessions/session-view.ts';
import { findingName, sidebarName } from './names.ts';

/** The seed's ValidationScratchpad: everything that was tried, with the results. */
export const validationView = (words: string, validation: Validation, isOpen: boolean) => {
  const { outcome, attempts, isDenied } = validation;
  const verdict = (outcome === 'confirmed') === isDenied ? 'refutes' : 'supports';
  const deciding = outcome === 'inconclusive' ? [] : attempts.filter(({ says }) => says === verdict);
  return {
    validationId: validation.id,
    claimBeingValidated: words,
    type: validation.type,
    denied: isDenied,
    attempts: attempts.map(({ method, environment, startedAt, duration, says, isDecisive, evidence, fault }) => ({
      method,
      environment,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: duration,
      says,
      decisive: isDecisive,
      evidence,
      fault,
    })),
    conflicts: validation.conflicts,
    conclusion: outcome,
    confidence: validation.confidence,
    needsHumanReview: isOpen,
    verified: outcome !== 'inconclusive',
    method: (deciding.find(({ isDecisive }) => isDecisive) ?? deciding[0])?.method ?? null,
    message: outcome === 'inconclusive' ? INCONCLUSIVE : null,
    foundAt: validation.foundAt,
    askedBy: validation.by,
    automatic: validation.isAuto,
    outdated: validation.isOutdated,
    at: new Date(validation.at).toISOString(),
    durationMs: validation.duration,
  };
};

export const runView = (board: Board, run: ValidationRun) => {
  const sidebar = board.sidebars.get(run.sidebarId);
  const claim = sidebar?.claims.find(({ id }) => id === run.claim);
  return {
    validationId: run.id,
    sidebarId: sidebarName(board, run.sidebarId),
    claimId:
      sidebar === undefined ? run.claim : claim === undefined ? findingName(board, run.claim, sidebar.contextId) : refOfClaim(sidebar.ref, claim),
    type: run.type,
    askedBy: run.by,
    automatic: run.isAuto,
    conclusion: run.outcome,
    needsHumanReview: run.needsReview,
    at: new Date(run.at).toISOString(),
    durationMs: run.duration,
    overruled: run.overruled === null ? null : { ...run.overruled, at: new Date(run.overruled.at).toISOString() },
  };
};

export const changesView = (board: Board) =>
  validationConfig(board)
    .changes.toReversed()
    .map(({ isOn, allowed, stateTtl, reason, by, at }) => ({
      enabled: isOn,
      allowed,
      stateTtlMinutes: stateTtl / MINUTE,
      reason,
      by,
      at: timeOf(at),
    }));

const MINUTE = 60_000;
