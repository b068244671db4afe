import { decide, NO_LANGUAGE, type Actor, type Board, type Command, type Finding, type Sidebar } from '@yarnboard/domain';
import { useState } from 'react';
import { useActor, useBoard, useLive } from '../../live/hooks.tsx';
import { isAlike } from '../../live/likeness.ts';

/** What the current user may do with a finding. */
export type FindingVerdict = { readonly canJudge: boolean; readonly canAnnotate: boolean };

type VerdictsFor = (board: Board, sidebarId: string, actor: Actor, now: number) => (finding: Finding) => FindingVerdict;

/**
 * PAGE-145: asks the domain once per finding, not about every finding on every new message. Whether a finding may be left pending or annotated
 * depends only on the finding itself, on who asks, and on the sidebar without its other findings; a property test holds the domain to that.
 */
export const createFindingVerdicts = (): VerdictsFor => {
  let grounds: object | null = null;
  let known = new WeakMap<Finding, FindingVerdict>();
  return (board, sidebarId, actor, now) => {
    const next = groundsOf(board, sidebarId, actor);
    if (!isAlike(grounds, next)) known = new WeakMap();
    grounds = next;
    return (finding) => {
      const verdict = known.get(finding) ?? verdictOn(board, sidebarId, actor, now, finding);
      known.set(finding, verdict);
      return verdict;
    };
  };
};

const groundsOf = (board: Board, sidebarId: string, actor: Actor): object => {
  const rest: Partial<Sidebar> = { ...board.sidebars.get(sidebarId) };
  for (const name of ALWAYS_NEW) delete rest[name];
  return { ...rest, actorId: actor.id, actorType: actor.type, agent: board.agents.get(actor.id) };
};

/** The fields that another finding or message changes. */
const ALWAYS_NEW = ['scratchpad', 'messages', 'lastActivity', 'lastPosition'] as const satisfies readonly (keyof Sidebar)[];

const verdictOn = (board: Board, sidebar: string, actor: Actor, now: number, { number }: Finding): FindingVerdict => {
  const facts = { now, actor, newId: () => 'not-sent', refs: new Map(), isInherited: () => false, surfacings: () => [], language: NO_LANGUAGE };
  const isAllowed = (command: Command): boolean => decide(board, command, facts).ok;
  // The domain finds a number directly, but searches all findings for an id.
  const finding = `FINDING-${number}`;
  return {
    canJudge: isAllowed({ type: 'finding.validate', sidebar, finding, status: 'pending', notes: '…' }),
    canAnnotate: isAllowed({ type: 'finding.annotate', sidebar, finding, note: '…' }),
  };
};

export const useFindingVerdicts = (sidebar: Sidebar): ((finding: Finding) => FindingVerdict) => {
  const { replica, now } = useLive();
  const actor = useActor();
  const [verdicts] = useState(createFindingVerdicts);
  // The sidebar prop changes whenever the sidebar does; this subscribes to the user's own agent, which can change separately.
  useBoard((board) => (actor === null ? undefined : board.agents.get(actor.id)), [actor?.id]);
  return actor === null ? () => NOTHING : verdicts(replica.board(), sidebar.id, actor, now());
};

const NOTHING: FindingVerdict = { canJudge: false, canAnnotate: false };
