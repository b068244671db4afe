import type { SenderType } from './entry.ts';

/** Whoever says or does something: who the token says it is, never who it claims to be. */
export type Actor = { readonly id: string; readonly type: SenderType };

/** The human operator: coordinates unless somebody else is named, and may always step in. */
export const OPERATOR: Actor = { id: 'AGENT-operator', type: 'human' };

/** Yarnboard itself: deadlines, discussions it asks for, waypoints it surfaces. */
export const SYSTEM: Actor = { id: 'system', type: 'system' };

/** Whoever answers in a Claude Code session. It has no token, and can be cited all the same. */
export const MODEL_ID = 'AGENT-claude';

export const isOperator = (actor: Actor): boolean => actor.id === OPERATOR.id;
