import { definitionOf, EVENT_TYPES, EVENTS, NOBODY_ELSE, type Audience, type Recorded } from '@yarnboard/domain';

/**
 * Which entries a client receives: those of these contexts, those that concern its identity, and on request everything that changes the board; null
 * means all.
 */
export type Scope = {
  readonly contexts: ReadonlySet<string>;
  readonly hasBoard: boolean;
  readonly agent: string | null;
  readonly key: string;
} | null;

export const scopeOf = (
  { contexts, hasBoard }: { readonly contexts: readonly string[] | null; readonly hasBoard: boolean },
  agent: string | null,
): Scope => {
  if (contexts === null) return null;
  const all = new Set(contexts);
  return { contexts: all, hasBoard, agent, key: JSON.stringify([agent, hasBoard, ...[...all].toSorted()]) };
};

type Heard = {
  readonly sessionId: string;
  readonly audience: Audience;
  readonly isOfBoard: boolean;
  /** NOTE-3: whether it gave somebody a notice. */
  readonly isToldTo: (agent: string) => boolean;
};

/** WIRE-23: whether a client with this scope receives it. */
export const hears = (scope: Scope, { sessionId, audience, isOfBoard, isToldTo }: Heard): boolean =>
  scope === null ||
  (scope.hasBoard && isOfBoard) ||
  scope.contexts.has(sessionId) ||
  audience.contexts.some((context) => scope.contexts.has(context)) ||
  (scope.agent !== null && (audience.agents.includes(scope.agent) || (isOfBoard && isToldTo(scope.agent))));

export const audienceOf = (event: Recorded): Audience => {
  const { concerns } = definitionOf(event.type);
  return concerns?.(event.payload) ?? NOBODY_ELSE;
};

/** The types of entries that concern others. */
export const CONCERNING_TYPES: readonly string[] = EVENT_TYPES.filter((type) => EVENTS[type].concerns !== null);
