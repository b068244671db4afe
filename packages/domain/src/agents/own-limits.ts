import { happenIn, type Facts } from '../board/deciding.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import type { Happening } from '../messages/catalogue.ts';
import { ok, type Result } from '../result.ts';
import { equipmentOf, recruitsIn } from './seat-runs.ts';

/** RT-60: how much an agent with a runtime may initiate by itself. */
export const OWN_LIMITS = { depth: 3, spawns: 20, recruitments: 40 } as const;
export type OwnLimit = keyof typeof OWN_LIMITS;

/**
 * RT-60: whether an agent may do this much more of something within the hour. The sidebar is told which limits it approaches, and which it reaches:
 * at 80 %, and with the last one allowed.
 */
const within = (board: Board, facts: Facts, of: 'spawns' | 'recruitments', more: number): Result<readonly Told[], Rejection> => {
  const agent = facts.actor.id;
  const most = OWN_LIMITS[of];
  const done = equipmentOf(board, agent).deeds[of].filter((at) => facts.now - at < HOUR).length;
  if (done + more > most) return reached(agent, of);
  const share = (count: number): number => (count >= most ? 1 : count >= most * WARNED_AT ? WARNED_AT : 0);
  return ok(share(done + more) > share(done) ? [{ of, share: share(done + more) }] : []);
};

type Told = { readonly of: OwnLimit; readonly share: number };

/** Additional events of a spawn by an agent with a runtime; none for anyone else. */
export const ownSpawn = (board: Board, facts: Facts, parentId: string | null, team: readonly string[]): Result<readonly Told[], Rejection> => {
  if (!isLimited(board, facts)) return ok([]);
  const depth = depthUnder(board, parentId) + 1;
  if (depth > OWN_LIMITS.depth) return reached(facts.actor.id, 'depth');
  const spawns = within(board, facts, 'spawns', 1);
  if (!spawns.ok) return spawns;
  const recruited = ownRecruitment(board, facts, recruitsIn(board, facts.actor.id, team));
  if (!recruited.ok) return recruited;
  return ok([...spawns.value, ...recruited.value, ...(depth === OWN_LIMITS.depth ? [{ of: 'depth', share: 1 } as const] : [])]);
};

export const ownRecruitment = (board: Board, facts: Facts, count: number): Result<readonly Told[], Rejection> =>
  count === 0 || !isLimited(board, facts) ? ok([]) : within(board, facts, 'recruitments', count);

export const limitsTold = (facts: Facts, sidebar: { readonly id: string }, told: readonly Told[]): readonly Happening[] =>
  told.map((one) => happenIn(facts, sidebar, 'limit.told', { agent: facts.actor.id, ...one }));

const reached = (agent: string, of: OwnLimit): Result<never, Rejection> => reject('limit-reached', { agent, of, most: OWN_LIMITS[of] });

const isLimited = (board: Board, { actor }: Facts): boolean => actor.type === 'agent' && equipmentOf(board, actor.id).runtime !== null;

/** How many consecutive sidebars above were started by agents. */
const depthUnder = (board: Board, parentId: string | null): number => {
  let depth = 0;
  for (let id = parentId; id !== null && depth <= OWN_LIMITS.depth; depth += 1) {
    const sidebar = board.sidebars.get(id);
    if (sidebar === undefined || board.agents.get(sidebar.createdBy)?.kind !== 'agent') break;
    id = sidebar.parent?.kind === 'sidebar' ? sidebar.parent.sidebarId : null;
  }
  return depth;
};

const HOUR = 3_600_000;
const WARNED_AT = 0.8;
