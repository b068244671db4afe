import { isOperator, type Actor } from '../actors.ts';
import type { Sidebar } from './state.ts';

/** Somebody's role in a sidebar. Most have several; the one with the most rights counts. */
export const ROLES = ['operator', 'coordinator', 'curator', 'spawner', 'participant', 'outsider'] as const;
export type Role = (typeof ROLES)[number];

/** `ask`: it becomes a proposal, which the coordinator or the human answers. */
export type Right = 'yes' | 'ask' | 'no';

/**
 * RIGHT-1: who may do what to a sidebar, by role. Taking work away from others for good is reserved for the coordinator and the human; anything
 * reversible is open to every participant. Yarnboard itself, which keeps deadlines, may do all of it.
 */
export const RIGHTS = {
  join: { operator: 'yes', coordinator: 'yes', curator: 'yes', spawner: 'yes', participant: 'yes', outsider: 'ask' },
  recruit: { operator: 'yes', coordinator: 'yes', curator: 'yes', spawner: 'no', participant: 'yes', outsider: 'no' },
  dismiss: { operator: 'yes', coordinator: 'yes', curator: 'no', spawner: 'no', participant: 'no', outsider: 'no' },
  answer: { operator: 'yes', coordinator: 'yes', curator: 'no', spawner: 'no', participant: 'no', outsider: 'no' },
  work: { operator: 'yes', coordinator: 'yes', curator: 'yes', spawner: 'no', participant: 'yes', outsider: 'no' },
  pause: { operator: 'yes', coordinator: 'yes', curator: 'yes', spawner: 'no', participant: 'yes', outsider: 'no' },
  resume: { operator: 'yes', coordinator: 'yes', curator: 'yes', spawner: 'no', participant: 'yes', outsider: 'no' },
  wait: { operator: 'yes', coordinator: 'yes', curator: 'yes', spawner: 'no', participant: 'yes', outsider: 'no' },
  fail: { operator: 'yes', coordinator: 'yes', curator: 'ask', spawner: 'ask', participant: 'ask', outsider: 'no' },
  archive: { operator: 'yes', coordinator: 'yes', curator: 'ask', spawner: 'ask', participant: 'ask', outsider: 'no' },
  discard: { operator: 'yes', coordinator: 'yes', curator: 'ask', spawner: 'ask', participant: 'ask', outsider: 'no' },
  retype: { operator: 'yes', coordinator: 'yes', curator: 'ask', spawner: 'yes', participant: 'ask', outsider: 'no' },
  reprioritise: { operator: 'yes', coordinator: 'yes', curator: 'ask', spawner: 'yes', participant: 'ask', outsider: 'no' },
  tag: { operator: 'yes', coordinator: 'yes', curator: 'yes', spawner: 'yes', participant: 'yes', outsider: 'no' },
  reopen: { operator: 'yes', coordinator: 'no', curator: 'no', spawner: 'no', participant: 'no', outsider: 'no' },
} as const satisfies Readonly<Record<string, Readonly<Record<Role, Right>>>>;

export type Action = keyof typeof RIGHTS;

const rolesOf = ({ coordinator, curator, createdBy, participants }: Sidebar, actor: Actor): readonly Role[] => {
  const roles: readonly (readonly [Role, boolean])[] = [
    ['operator', isOperator(actor)],
    ['coordinator', actor.id === coordinator],
    ['curator', actor.id === curator],
    ['spawner', actor.id === createdBy],
    ['participant', participants.includes(actor.id)],
  ];
  const held = roles.filter(([, isHeld]) => isHeld).map(([role]) => role);
  return held.length === 0 ? ['outsider'] : held;
};

export const rightTo = (action: Action, sidebar: Sidebar, actor: Actor): Right => {
  if (actor.type === 'system') return 'yes';
  // RIGHT-2: anyone may join an open sidebar.
  if (action === 'join' && sidebar.isOpen) return 'yes';
  const rights = rolesOf(sidebar, actor).map((role): Right => RIGHTS[action][role]);
  return rights.includes('yes') ? 'yes' : rights.includes('ask') ? 'ask' : 'no';
};
