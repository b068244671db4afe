import { contextIdOf, contextIdOfSidebar, type EventType, type Payloads, type Recorded } from '@yarnboard/domain';

/** Whom an entry concerns besides those who follow the context it is in. */
export type Audience = { readonly contexts: readonly string[]; readonly agents: readonly string[] };

/** Which entries a client hears: those of these contexts, what concerns its identity, and whatever changes the board, if it wants that; null is all. */
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

type Heard = { readonly sessionId: string; readonly audience: Audience; readonly isOfBoard: boolean };

/** WIRE-23: whether it is told to whoever has this scope. */
export const hears = (scope: Scope, { sessionId, audience, isOfBoard }: Heard): boolean =>
  scope === null ||
  (scope.hasBoard && isOfBoard) ||
  scope.contexts.has(sessionId) ||
  audience.contexts.some((context) => scope.contexts.has(context)) ||
  (scope.agent !== null && audience.agents.includes(scope.agent));

export const audienceOf = (event: Recorded): Audience => {
  const of = OTHERS[event.type] as ((payload: unknown) => Audience) | undefined; // the row of its own type
  return of?.(event.payload) ?? NOBODY_ELSE;
};

export const NOBODY_ELSE: Audience = { contexts: [], agents: [] };

const inContext = (context: string): Audience => ({ contexts: [context], agents: [] });
const forAgents = (...agents: readonly string[]): Audience => ({ contexts: [], agents });

const OTHERS: { readonly [T in EventType]?: (payload: Payloads[T]) => Audience } = {
  // Whoever follows a conversation hears that something branches off it.
  'sidebar.spawned': ({ parent }) => (parent === null ? NOBODY_ELSE : inContext(contextIdOf(parent))),
  'memory.merged': ({ sidebarId }) => inContext(contextIdOfSidebar(sidebarId)),
  'mention.routed': ({ targets }) => forAgents(...targets),
  'sidebar.escalated': ({ to }) => forAgents(to),
  'agent.joined': ({ agent }) => forAgents(agent),
  'agent.left': ({ agent }) => forAgents(agent),
};

/** The kinds of entries that concern others. */
export const CONCERNING_TYPES: readonly string[] = Object.keys(OTHERS);
