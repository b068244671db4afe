import type { Episode } from '@yarnboard/domain';
import { CircleCheck } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';
import { ProvisionalMark, SupersededMark } from '../ui/marks.tsx';

/** PAGE-351: the status of an episode. */
export const EpisodeMark = ({
  episode: { isSuperseded, isProvisional, why },
}: {
  readonly episode: Pick<Episode, 'isSuperseded' | 'isProvisional' | 'why'>;
}) => {
  if (isSuperseded) return <SupersededMark why={why ?? undefined} />;
  if (isProvisional) return <ProvisionalMark why="Becomes final when the sidebar ends." />;
  return (
    <Badge tone="good" icon={CircleCheck}>
      final
    </Badge>
  );
};

export const TRIGGERS: Readonly<Record<Episode['trigger'], string>> = {
  checkpoint: 'checkpoint',
  gold: 'GOLD',
  completion: 'completion',
  manual: 'by hand',
  timeout: 'timeout',
};

export const WHY_KEPT: Readonly<Record<Episode['trigger'], string>> = {
  checkpoint: 'a checkpoint',
  gold: 'a GOLD',
  completion: 'the end of the sidebar',
  manual: 'hand',
  timeout: 'the end of a stale sidebar',
};
