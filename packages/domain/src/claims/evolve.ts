import { isOperator } from '../actors.ts';
import type { Evolver } from '../board/evolve.ts';
import { link } from '../board/links.ts';
import type { FamilyEvent } from '../messages/catalogue.ts';
import { sidebarIdOfContext } from '../messages/values.ts';
import { change } from '../sidebar/evolve.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { Claim, Judgement } from './state.ts';

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
  // That they disagree is seen from what they said.
  'claim.disputed': (board, event) => change(board, event, () => ({})),
  'claim.settled': (board, event) => {
    const { claim, verification, confidence, isAssumed, notes } = event.payload;
    const { by, at, position } = event;
    change(board, event, (sidebar) =>
      changed(sidebar, claim, () => ({ isReviewed: true, settlement: { by: by.id, verification, confidence, isAssumed, notes, at, position } })),
    );
  },
};

/** What somebody says takes the place of what they said before; null takes it back. */
export const judgedBy = ({ judgements }: Claim, by: string, judgement: Judgement | null): readonly Judgement[] => {
  const others = judgements.filter((one) => one.by !== by);
  return judgement === null ? others : [...others, judgement];
};

export const changed = ({ claims }: Sidebar, id: string, next: (claim: Claim) => Partial<Claim>): Partial<Sidebar> => ({
  claims: claims.map((claim) => (claim.id === id ? { ...claim, ...next(claim) } : claim)),
});
