import type { Evolver } from '../board/evolve.ts';
import { link } from '../board/links.ts';
import type { FamilyEvent } from '../messages/catalogue.ts';
import { sidebarIdOfContext } from '../messages/values.ts';
import { change } from '../sidebar/evolve.ts';
import type { Sidebar } from '../sidebar/state.ts';
import type { Claim } from './state.ts';

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
    };
    change(board, event, ({ claims }) => ({ claims: [...claims, claim] }));
    const sidebarId = sidebarIdOfContext(event.contextId);
    if (sidebarId !== null && claim.exchange !== '') link(board, 'marked', claim.exchange, sidebarId);
  },
  'claim.verified': (board, event) => {
    const { claim, verification, confidence, isAssumed, notes, evidence } = event.payload;
    const { by, at, position } = event;
    change(board, event, (sidebar) =>
      changed(sidebar, claim, ({ judgements }) => {
        const others = judgements.filter((one) => one.by !== by.id);
        if (verification === 'unverified') return { judgements: others };
        return { judgements: [...others, { by: by.id, verification, confidence: confidence ?? 0, isAssumed, notes, evidence, at, position }] };
      }),
    );
  },
  // That they disagree is seen from what they said.
  'claim.disputed': (board, event) => change(board, event, () => ({})),
  'claim.settled': (board, event) => {
    const { claim, verification, confidence, isAssumed, notes } = event.payload;
    const { by, at, position } = event;
    change(board, event, (sidebar) =>
      changed(sidebar, claim, () => ({ settlement: { by: by.id, verification, confidence, isAssumed, notes, at, position } })),
    );
  },
};

const changed = ({ claims }: Sidebar, id: string, next: (claim: Claim) => Partial<Claim>): Partial<Sidebar> => ({
  claims: claims.map((claim) => (claim.id === id ? { ...claim, ...next(claim) } : claim)),
});
