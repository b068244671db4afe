import { isOperator, SYSTEM } from '../actors.ts';
import type { Evolver } from '../board/evolve.ts';
import { link } from '../board/links.ts';
import type { FamilyEvent, Recorded } from '../messages/catalogue.ts';
import { sidebarIdOfContext } from '../messages/values.ts';
import { change } from '../sidebar/evolve.ts';
import type { Sidebar, SidebarFacts } from '../sidebar/state.ts';
import type { Claim, Judgement } from './state.ts';
import { ONLY, validationConfig } from './validation-history.ts';
import { classOf } from './classes.ts';
import type { Board } from '../board/state.ts';
import { withFinding } from '../scratchpad/evolve.ts';

export const markEvents: { readonly [T in FamilyEvent<'marks'>]: Evolver<T> } = {
  'claim.noted': (board, event) => {
    const { kind, confidence, ...noted } = event.payload;
    const claim: Claim = {
      ...noted,
      id: event.uuid,
      type: kind,
      originalConfidence: confidence,
      at: event.at,
      position: event.position,
      judgements: [],
      settlement: null,
      validation: null,
      isReviewed: false,
    };
    change(board, event, ({ claims }) => ({ claims: [...claims, claim] }));
    const sidebarId = sidebarIdOfContext(event.contextId);
    if (sidebarId !== null && claim.exchange !== '') link(board, 'marked', claim.exchange, sidebarId);
  },
  'claim.verified': (board, event) => {
    const { claim, verification, confidence, isAssumed, notes, evidence } = event.payload;
    const { by, at, position } = event;
    change(board, event, (sidebar) =>
      changed(sidebar, claim, (before) => {
        const said = { by: by.id, confidence: confidence ?? 0, isAssumed, notes, evidence, at, position };
        const judgements = judgedBy(before, by.id, verification === 'unverified' ? null : { ...said, verification });
        return { judgements, isReviewed: before.isReviewed || isOperator(by) };
      }),
    );
  },
  // The disagreement shows in what they said.
  'claim.disputed': (board, event) => change(board, event, () => ({})),
  'claim.settled': (board, event) => {
    const { claim, verification, confidence, isAssumed, notes } = event.payload;
    const { by, at, position } = event;
    change(board, event, (sidebar) =>
      changed(sidebar, claim, () => ({ isReviewed: true, settlement: { by: by.id, verification, confidence, isAssumed, notes, at, position } })),
    );
  },
};

export const validationEvents: { readonly [T in FamilyEvent<'validation'>]: Evolver<T> } = {
  'claim.validated': (board, event) => {
    const { claim: id, kind, subject: _, outcome, confidence, ...rest } = event.payload;
    const { uuid, at, position, by } = event;
    const validation = { ...rest, id: uuid, type: kind, outcome, confidence, by: by.id, at, position, isOutdated: false };
    change(board, event, (sidebar) =>
      changed(sidebar, id, (claim) => {
        const said = { by: SYSTEM.id, confidence: confidence ?? 0, isAssumed: false, notes: null, evidence: [], at, position };
        const judgements = judgedBy(claim, SYSTEM.id, outcome === 'inconclusive' ? null : { ...said, verification: outcome });
        // VAL-32: the content of a hedged sentence may be a state, although the sentence is a hypothesis.
        const isVolatile = claim.isVolatile || classOf(kind) === 'system_state';
        return { validation, judgements, isVolatile, isReviewed: false };
      }),
    );
    keepRun(board, event, id);
  },
  'finding.checked': (board, event) => {
    const { finding, kind, subject: _, ...rest } = event.payload;
    const machineCheck = { ...rest, id: event.uuid, type: kind, by: event.by.id, at: event.at, position: event.position, isOutdated: false };
    change(board, event, ({ scratchpad }) => ({ scratchpad: withFinding(scratchpad, finding, () => ({ machineCheck })) }));
    keepRun(board, event, finding);
  },
  'claim.outdated': (board, event) =>
    change(board, event, (sidebar) =>
      changed(sidebar, event.payload.claim, ({ validation }) => ({ validation: validation === null ? null : { ...validation, isOutdated: true } })),
    ),
  'validation.configured': (board, { payload, by, at, position }) => {
    const { changes, stateTtl: before } = validationConfig(board);
    const { isOn, allowed, stateTtl = before } = payload;
    const step = { ...payload, stateTtl, by: by.id, at, position };
    board.validationConfig.set(ONLY, { isOn, allowed, stateTtl, changes: [...changes, step].slice(-MOST_CHANGES) });
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

const keepRun = (board: Board, event: Recorded<'claim.validated' | 'finding.checked'>, claim: string): void => {
  const { kind, isAuto, subject, outcome, needsReview, duration } = event.payload;
  const { uuid, at, position, by } = event;
  const sidebarId = sidebarIdOfContext(event.contextId) ?? '';
  const run = { id: uuid, sidebarId, claim, type: kind, by: by.id, isAuto, subject, outcome, needsReview, duration, at, position };
  board.validations.set(uuid, { ...run, overruled: null });
};

/** Somebody's new judgement replaces their previous one; null withdraws it. */
const judgedBy = ({ judgements }: Claim, by: string, judgement: Judgement | null): readonly Judgement[] => {
  const others = judgements.filter((one) => one.by !== by);
  return judgement === null ? others : [...others, judgement];
};

const changed = ({ claims }: Sidebar, id: string, next: (claim: Claim) => Partial<Claim>): Partial<SidebarFacts> => ({
  claims: claims.map((claim) => (claim.id === id ? { ...claim, ...next(claim) } : claim)),
});

/** The confidence of the human, who doesn't enter a number. */
const SURE = { confirmed: 0.9, contradicted: 0.1, unverified: 0 } as const;
const MOST_CHANGES = 100;
