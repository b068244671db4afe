import type { FactsOf, FactsShape } from '../board/facts.ts';

const obstacle = <const F extends FactsShape>(facts: F): { readonly facts: F } => ({ facts });

/** AUTO-2: everything that prevents an automatic merge, in the order of the seed, with its facts. */
export const OBSTACLES = {
  // The switch and the list.
  off: obstacle({}),
  'no-type': obstacle({}),
  'type-not-allowed': obstacle({ taskType: 'text', isRoutine: 'flag' }),
  'type-suspended': obstacle({ taskType: 'text', sidebar: 'text' }),
  // The four constraints, and what is left of them when they are off.
  'no-package': obstacle({ status: 'text' }),
  unchecked: obstacle({ curator: 'text' }),
  unfit: obstacle({ by: 'text', notes: 'text-or-null' }),
  'own-check': obstacle({ by: 'text' }),
  'own-findings': obstacle({ refs: 'texts' }),
  conflict: obstacle({ refs: 'texts', isInPackage: 'flag' }),
  'no-source': obstacle({ refs: 'texts' }),
  changes: obstacle({ words: 'texts', isCode: 'flag' }),
  'wrote-files': obstacle({ refs: 'texts' }),
  // Never, whatever is switched off.
  architecture: obstacle({ words: 'texts' }),
  security: obstacle({ words: 'texts' }),
  'first-time': obstacle({ taskType: 'text', approvals: 'number', needed: 'number' }),
  'type-set-late': obstacle({ taskType: 'text' }),
  'changed-late': obstacle({ what: 'texts' }),
  // What the type requires of its results.
  'not-routine': obstacle({ taskType: 'text', refs: 'texts' }),
  // Further doubts.
  'rests-on-contradicted': obstacle({ refs: 'texts' }),
  'rests-on-provisional': obstacle({ refs: 'texts' }),
  'rests-on-superseded': obstacle({ refs: 'texts' }),
  'needs-review': obstacle({ refs: 'texts' }),
  escalated: obstacle({ by: 'text' }),
  test: obstacle({}),
  outdated: obstacle({ refs: 'texts' }),
  /** Anything that any approval would be refused for: active children, or no merge target. */
  refused: obstacle({ reason: 'text' }),
} as const;

export type ObstacleKind = keyof typeof OBSTACLES;
export type ObstacleFacts<K extends ObstacleKind> = FactsOf<(typeof OBSTACLES)[K]['facts']>;
export type Obstacle = { readonly [K in ObstacleKind]: { readonly kind: K; readonly facts: ObstacleFacts<K> } }[ObstacleKind];

/** Obstacles independent of the findings: only the operator can change them. */
export const isSwitch = ({ kind }: Obstacle): boolean => kind === 'off' || kind === 'type-not-allowed';
