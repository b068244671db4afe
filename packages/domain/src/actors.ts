import type { SenderType } from './entry.ts';

/** Whoever says or does something, according to the token, never by their own claim. */
export type Actor = { readonly id: string; readonly type: SenderType };

/** The human operator: coordinates unless somebody else is named, and may always intervene. */
export const OPERATOR: Actor = { id: 'AGENT-operator', type: 'human' };

/** Yarnboard itself: deadlines, discussions it requests, waypoints it surfaces. */
export const SYSTEM: Actor = { id: 'system', type: 'system' };

/** The model in a Claude Code session. It has no token, but can be cited. */
export const MODEL_ID = 'AGENT-claude';

export const isOperator = (actor: Actor): boolean => actor.id === OPERATOR.id;
