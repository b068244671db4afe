import { SYSTEM } from '../actors.ts';
import type { Evolver } from '../board/evolve.ts';
import type { FamilyEvent } from '../messages/catalogue.ts';
import { sidebarIdOfContext } from '../messages/values.ts';
import { change } from '../sidebar/evolve.ts';
import { changed, judgedBy } from './evolve.ts';
import { ONLY, validationConfig } from './validation-state.ts';

export const validationEvents: { readonly [T in FamilyEvent<'validation'>]: Evolver<T> } = {
  'claim.validated': (board, event) => {
    const { claim: id, kind, subject, outcome, confidence, ...rest } = event.payload;
    const { uuid, at, position, by } = event;
    const validation = { ...rest, id: uuid, type: kind, outcome, confidence, by: by.id, at, position, isOutdated: false };
    change(board, event, (sidebar) =>
      changed(sidebar, id, (claim) => {
        const said = { by: SYSTEM.id, confidence: confidence ?? 0, isAssumed: false, notes: null, evidence: [], at, position };
        const judgements = judgedBy(claim, SYSTEM.id, outcome === 'inconclusive' ? null : { ...said, verification: outcome });
        return { validation, judgements, isReviewed: false };
      }),
    );
    const { isAuto, needsReview, duration } = event.payload;
    const sidebarId = sidebarIdOfContext(event.contextId) ?? '';
    const run = { id: uuid, sidebarId, claim: id, type: kind, by: by.id, isAuto, subject, outcome, needsReview, duration, at, position };
    board.validations.set(uuid, { ...run, overruled: null });
  },
  'claim.outdated': (board, event) =>
    change(board, event, (sidebar) =>
      changed(sidebar, event.payload.claim, ({ validation }) => ({ validation: validation === null ? null : { ...validation, isOutdated: true } })),
    ),
  'validation.configured': (board, { payload, by, at, position }) => {
    const step = { ...payload, by: by.id, at, position };
    const { changes } = validationConfig(board);
    board.validationConfig.set(ONLY, { isOn: payload.isOn, allowed: payload.allowed, changes: [...changes, step].slice(-MOST_CHANGES) });
  },
  'validation.overruled': (board, event) => {
    const { claim: id, run: runId, verification, reason } = event.payload;
    const { by, at, position } = event;
    change(board, event, (sidebar) =>
      changed(sidebar, id, (claim) => {
        const said = { by: by.id, confidence: SURE[verification], isAssumed: true, notes: reason, evidence: [], at, position };
        return { judgements: judgedBy(claim, by.id, verification === 'unverified' ? null : { ...said, verification }), isReviewed: true };
      }),
    );
    const run = board.validations.get(runId);
    if (run !== undefined) board.validations.set(runId, { ...run, overruled: { by: by.id, at, verification, reason } });
  },
};

/** How sure the human is, who gives no number with it. */
const SURE = { confirmed: 0.9, contradicted: 0.1, unverified: 0 } as const;
const MOST_CHANGES = 100;
