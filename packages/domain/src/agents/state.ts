import type { Presence } from '../messages/values.ts';

/** Somebody with a token of their own: an agent, or another person. The operator is one of them from the start. */
export type Agent = {
  /** AGENT-name */
  readonly id: string;
  readonly kind: 'agent' | 'human';
  readonly specialties: readonly string[];
  readonly preferredCollaborators: readonly string[];
  readonly presence: Presence;
  readonly currentContext: string | null;
  readonly presentAt: number | null;
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

export const ACCEPTS = ['auto', 'ask'] as const;
export type Accepts = (typeof ACCEPTS)[number];

/** LOAD-4: how many seats an instance of an agent has, and how many instances it may have. */
export type Limits = { readonly maxConcurrentPerInstance: number; readonly maxInstances: number };

export const DEFAULT_LIMITS: Limits = { maxConcurrentPerInstance: 5, maxInstances: 1 };

export const limitsOf = ({ limits }: Pick<Agent, 'limits'>): Limits => limits ?? DEFAULT_LIMITS;

export const agentIdOf = (name: string): string => {
  const bare = name
    .trim()
    .replace(/^@/u, '')
    .replace(/^AGENT-/iu, '');
  return `AGENT-${bare === 'human' ? 'operator' : bare}`;
};

/** Somebody of whom nothing is known: the operator has never been registered, and is somebody all the same. */
export const newcomer = (id: string, at: number): Agent => ({
  id,
  kind: 'human',
  specialties: [],
  preferredCollaborators: [],
  presence: 'offline',
  currentContext: null,
  presentAt: null,
  tokenHash: null,
  isRetired: false,
  registeredAt: at,
  position: 0,
  readUpTo: 0,
  limits: null,
  accepts: null,
});
