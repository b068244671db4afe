import type { ClaimType } from '../messages/marks.ts';

/** CLAIM-9: every type belongs to one class. Only the first two can be checked by a machine, whatever is switched on. */
export const CLAIM_CLASSES = ['factual_checkable', 'system_state', 'judgement'] as const;
export type ClaimClass = (typeof CLAIM_CLASSES)[number];

export const classOf = (type: ClaimType): ClaimClass =>
  STATES.has(type) ? 'system_state' : JUDGEMENTS.has(type) ? 'judgement' : 'factual_checkable';

const STATES: ReadonlySet<ClaimType> = new Set(['service_status', 'current_state']);
const JUDGEMENTS: ReadonlySet<ClaimType> = new Set(['hypothesis', 'causation', 'recommendation', 'interpretation']);
