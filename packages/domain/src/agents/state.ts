import type { AgentId, InstanceId, RequestId, SidebarId } from '../ids.ts';
import type { DeclineCode } from '../messages/recruiting.ts';
import type { Accepts, Presence } from '../messages/values.ts';

/** Somebody with a token of their own: an agent, or another person. The operator is one of them from the start. */
export type Agent = {
  readonly id: AgentId;
  readonly kind: 'agent' | 'human';
  readonly specialties: readonly string[];
  readonly preferredCollaborators: readonly string[];
  readonly presence: Presence;
  readonly currentContext: string | null;
  readonly presentAt: number | null;
  /** CRASH-1: how it is away, unless it said that it would be. */
  readonly absence: Absence | null;
  readonly tokenHash: string | null;
  readonly isRetired: boolean;
  readonly registeredAt: number;
  /** Where it was registered on the log. */
  readonly position: number;
  /** What it has read of what it was told, as a position on the log. */
  readonly readUpTo: number;
  /** Null unless the operator set them. */
  readonly limits: Limits | null;
  /** Whether it joins at once when it is recruited; null: an agent does, a person is asked. */
  readonly accepts: Accepts | null;
};

/** Lost: nobody knows yet whether it comes back. Crashed: what it answered for is with others, as told then. */
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

/** Somebody of whom nothing is known: the operator has never been registered, and is somebody all the same. */
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

/** LOAD-1: the place of an agent in one sidebar. It counts while work goes on there and the agent is there to do it. */
export type Seat = {
  readonly agentId: AgentId;
  /** AGENT-name#1, AGENT-name#2, …: a copy of the agent. */
  readonly instanceId: InstanceId;
  readonly sidebarId: SidebarId;
  /** When it was taken. */
  readonly since: number;
};

/** What somebody works on. An index: all of it follows from sidebars and agents. */
export type Load = {
  /** The sidebars that would take a seat, in the order in which they began to. The operator may take part in all there are: they are only counted. */
  readonly work: readonly SidebarId[];
  readonly seats: readonly Seat[];
  readonly count: number;
  /** Requests that wait for a seat, in the order in which they will get one. */
  readonly queue: readonly RequestId[];
  /** Requests that wait for its word. */
  readonly asked: readonly RequestId[];
  /** Sidebars that Yarnboard paused to make room for something else of this agent. */
  readonly paused: readonly SidebarId[];
  /** Requests by which it was recruited while it was away, and those whose requesters are told now that it is there. */
  readonly awaited: readonly RequestId[];
  readonly appeared: readonly RequestId[];
};

/** LOAD-10: a recruitment from asking to answer. `asked` and `queued` are open; every other state is the end of it. */
export type Request = {
  readonly id: RequestId;
  readonly agent: AgentId;
  readonly sidebarId: SidebarId;
  readonly by: AgentId;
  readonly at: number;
  readonly position: number;
  readonly note: string | null;
  readonly capability: string | null;
  /** `return`: it takes part already, and waits for a seat since its sidebar goes on. */
  readonly kind: 'join' | 'return';
  readonly state: RequestState;
  readonly endedAt: number | null;
  /** Where on the log it ended; null while it is open. */
  readonly endedPosition: number | null;
  readonly code: DeclineCode | null;
  /** What was said at its end. */
  readonly answer: string | null;
  /** Whoever was asked was offline then, and the requester waits for it to appear. */
  readonly wasAway: boolean;
  /** It has done something there since it joined: from then on it leaves, and does not decline. */
  readonly hasActed: boolean;
};

export type RequestState = 'asked' | 'queued' | 'joined' | 'declined' | 'withdrawn' | 'dropped';
