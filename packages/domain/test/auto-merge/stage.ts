import type { CommandOf, Recorded } from '../../src/index.ts';
import { given, type Stage } from '../board/given.ts';

/** A board on which status checks have earned to merge by themselves. `ben` curates, `ada` works. */
export type RoutineStage = Stage & {
  /** SB-n of a status check with a finding that was confirmed; its package is put together, and it waits for its curator. */
  readonly prepares: (more?: Prepared) => string;
  /** The curator's word. */
  readonly finds: (sidebar: string, isFit?: boolean) => readonly Recorded[];
  readonly approves: (sidebar: string) => readonly Recorded[];
};

type Prepared = {
  readonly content?: string;
  readonly spawn?: Partial<CommandOf<'sidebar.spawn-child'>>;
  readonly sources?: readonly string[];
  readonly recommendations?: string;
  /** What happens between the first finding and the package. */
  readonly meanwhile?: (sidebar: string) => void;
};

export const routineStage = (config: Partial<CommandOf<'automerge.configure'>> = {}, approvals = 3): RoutineStage => {
  const stage = given();
  const parent = stage.spawns({ participants: ['ada', 'ben', 'cyd'], task: 'Keep the shop running' });
  stage.does({ type: 'chat.say', sidebar: parent, content: 'Have a look at the queue' });

  const prepares: RoutineStage['prepares'] = ({
    content = 'The queue is empty.',
    spawn = {},
    sources = ['MSG-1'],
    recommendations,
    meanwhile,
  } = {}) => {
    const sidebar = stage.spawnsChild(parent, { task: 'Is the queue empty?', taskType: 'status_check', participants: ['ada', 'ben'], ...spawn });
    if (spawn.curator === undefined) stage.does({ type: 'sidebar.change', sidebar, curator: 'ben' });
    stage.does({ type: 'finding.submit', sidebar, content, sourceRefs: sources }, { by: 'ada' });
    stage.does({ type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'confirmed' }, { by: 'ben' });
    meanwhile?.(sidebar);
    stage.does({ type: 'sidebar.consolidate', sidebar, ...(recommendations === undefined ? {} : { recommendations }) }, { by: 'ada' });
    return sidebar;
  };
  const finds: RoutineStage['finds'] = (sidebar, isFit = true) =>
    stage.does({ type: 'merge.check', sidebar, isFit, ...(isFit ? {} : { notes: 'not yet' }) }, { by: 'ben' });
  const approves: RoutineStage['approves'] = (sidebar) => {
    finds(sidebar);
    return stage.does({ type: 'sidebar.merge', sidebar });
  };

  for (let n = 0; n < approvals; n += 1) approves(prepares());
  stage.does({ type: 'automerge.configure', isEnabled: true, allowedTaskTypes: ['status_check'], ...config });
  return { ...stage, prepares, finds, approves };
};
