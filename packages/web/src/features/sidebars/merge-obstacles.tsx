import type { Sidebar } from '@yarnboard/domain';
import { obstacleIn, obstacleWords, type InsideOutput } from '@yarnboard/protocol';
import { Hand, Zap } from 'lucide-react';
import { useAsk } from '../../live/hooks.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Reference } from '../../ui/reference.tsx';

type Obstacle = InsideOutput<'auto_merge_obstacles'>['obstacles'][number];

/** PAGE-280: whether the sidebar would merge automatically, or everything that prevents it, with links. */
export const MergeObstacles = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const query = useAsk('auto_merge_obstacles', { sidebarId: sidebar.id }, { everyMs: 5000 });
  const { data } = query;
  // Without a task type nobody expects an automatic merge, so it needs no explanation.
  if (data === undefined || sidebar.taskType === null) return null;
  if (data.wouldMerge) {
    return (
      <Notice tone="good" icon={Zap}>
        Merges automatically once the curator approves.
      </Notice>
    );
  }
  return (
    <Notice icon={Hand}>
      <details className="merge-obstacles">
        <summary>
          Needs your approval: {data.obstacles.length} {data.obstacles.length === 1 ? 'reason' : 'reasons'}
        </summary>
        <ul>
          {data.obstacles.map((one) => (
            <li key={one.obstacle}>
              {sentenceOf(one)}
              {one.refs.slice(0, 5).map((ref) => (
                <span key={ref}>
                  {' '}
                  <Reference to={ref} />
                </span>
              ))}
            </li>
          ))}
        </ul>
      </details>
    </Notice>
  );
};

const sentenceOf = ({ obstacle, facts, message }: Obstacle): string => {
  const known = obstacleIn(obstacle, facts);
  return known === null ? message : obstacleWords(known, 'page');
};
