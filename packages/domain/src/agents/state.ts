import type { AgentId, InstanceId, RequestId, SidebarId } from '../ids.ts';
import type { DeclineCode } from '../messages/recruiting.ts';
import type { Accepts, Presence } from '../messages/values.ts';

/** A member with a token of their own: an agent or another person. The operator is one from the start. */
export type Agent = {
  readonly id: AgentId;
  readonly kind: 'agent' | 'human';
  readonly specialties: readonly string[];
  readonly preferredCollaborators: readonly string[];
  readonly presence: Presence;
  readonly currentContext: string | null;
  readonly presentAt: number | null;
  /** CRASH-1: how it became absent, unless it announced that. */
  readonly absence: Absence | null;
  readonly tokenHash: string | null;
  readonly isRetired: boolean;
  readonly registeredAt: number;
  /** The log position of its registration. */
  readonly position: number;
  /** The log position up to which it has read its notices. */
  readonly readUpTo: number;
  /** Null unless the operator set them. */
  readonly limits: Limits | null;
  /** Whether it joins at once when recruited; null means the default: an agent joins, a person is asked. */
  readonly accepts: Accepts | null;
};

/** Lost: it may still come back. Crashed: its duties have passed to others, as announced then. */
export type Absence =
  { readonly kind: 'lost'; readonly since: number } | { readonly kind: 'crashed'; readonly since: number; readonly fallen: readonly Fallen[] };

export type Fallen = {
  readonly sidebarId: SidebarId;
  readonly owner: AgentId;
  readonly findings: readonly string[];
  readonly coordinates: boolean;
  readonly curates: boolean;
};

/** LOAD-4: how many seats an instance of an agent has, and how many instances it may have. */
export type Limits = { readonly maxConcurrentPerInstance: number; readonly maxInstances: number };

export const DEFAULT_LIMITS: Limits = { maxConcurrentPerInstance: 5, maxInstances: 1 };

export const limitsOf = ({ limits }: Pick<Agent, 'limits'>): Limits => limits ?? DEFAULT_LIMITS;

export const agentIdOf = (name: string): AgentId => {
  const bare = name
    .trim()
    .replace(/^@/u, '')
    .replace(/^AGENT-/iu, '');
  return `AGENT-${bare === 'human' ? 'operator' : bare}`;
};

/** A member of whom nothing is known: the operator was never registered, and is a member nevertheless. */
export const newcomer = (id: AgentId, at: number): Agent => ({
  id,
  kind: 'human',
  specialties: [],
  preferredCollaborators: [],
  presence: 'offline',
  currentContext: null,
  presentAt: null,
  absence: null,
  tokenHash: null,
  isRetired: false,
  registeredAt: at,
  position: 0,
  readUpTo: 0,
  limits: null,
  accepts: null,
});

/**
 * Everyone who can be recruited for a specialty, and their specialties at the same index. An index: it follows from the agents, and is replaced as a whole
 * when it changes, so that answers about it can be kept.
 */
export type Roster = { readonly agents: readonly AgentId[]; readonly specialties: readonly (readonly string[])[] };

/** LOAD-1: the place of an agent in one sidebar. It counts while work goes on there and the agent is present. */
export type Seat = {
  readonly agentId: AgentId;
  /** AGENT-name#1, AGENT-name#2, …: a copy of the agent. */
  readonly instanceId: InstanceId;
  readonly sidebarId: SidebarId;
  /** When it was taken. */
  readonly since: number;
};

/** What an agent works on. An index: all of it is derived from sidebars and agents. */
export type Load = {
  /** The sidebars that would take a seat, in the order in which they began to. The operator may take part in all of them: they are only counted. */
  readonly work: readonly SidebarId[];
  readonly seats: readonly Seat[];
  readonly count: number;
  /** Requests that wait for a seat, in the order they will get one. */
  readonly queue: readonly RequestId[];
  /** Requests that wait for its answer. */
  readonly asked: readonly RequestId[];
  /** Sidebars that Yarnboard paused to make room for something else of this agent. */
  readonly paused: readonly SidebarId[];
  /** Requests that recruited it in its absence, and those whose requesters are to be notified now that it is back. */
  readonly awaited: readonly RequestId[];
  readonly appeared: readonly RequestId[];
};

/** LOAD-10: a recruitment from request to answer. `asked` and `queued` are open; every other state is final. */
export type Request = {
  readonly id: RequestId;
  readonly agent: AgentId;
  readonly sidebarId: SidebarId;
  readonly by: AgentId;
  readonly at: number;
  readonly position: number;
  readonly note: string | null;
  readonly capability: string | null;
  /** `return`: it takes part already, and waits for a seat because its sidebar resumes. */
  readonly kind: 'join' | 'return';
  readonly state: RequestState;
  readonly endedAt: number | null;
  /** The log position of its end; null while it is open. */
  readonly endedPosition: number | null;
  readonly code: DeclineCode | null;
  /** The reason given at its end. */
  readonly answer: string | null;
  /** The recruit was offline then, and the requester waits for it to appear. */
  readonly wasAway: boolean;
  /** It has acted there since it joined: from then on it can leave, but not decline. */
  readonly hasActed: boolean;
};

export type RequestState = 'asked' | 'queued' | 'joined' | 'declined' | 'withdrawn' | 'dropped';
