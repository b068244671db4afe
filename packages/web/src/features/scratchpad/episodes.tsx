import type { Sidebar } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { BookMarked, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useAsk, useAskAgain } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { ProvisionalMark, SupersededMark } from '../../ui/marks.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { Empty, Failure, Skeleton } from '../../ui/state.tsx';

type Episode = InsideOutput<'episodes'>['items'][number];

/** What is kept of a sidebar: provisional while it goes on, then final or superseded. */
export const Episodes = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const { data, error, refetch } = useAsk('episodes', { sidebarId: sidebar.id, limit: 500 });
  const askAgain = useAskAgain();
  // A checkpoint, a GOLD or the end of the sidebar adds to it.
  useEffect(() => askAgain('episodes'), [askAgain, sidebar.lastPosition]);
  return (
    <section className="episodes" aria-labelledby="episodes-title">
      <h2 id="episodes-title">Episodic memory</h2>
      {error === null ? null : <Failure title="What is kept could not be loaded" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton lines={3} /> : null}
      {data?.items.length === 0 ? (
        <Empty icon={BookMarked} title="Nothing is kept yet">
          Checkpoints and GOLD keep what is confirmed, and the end of the sidebar keeps the rest.
        </Empty>
      ) : null}
      <ul className="episodes-list">
        {(data?.items ?? []).map((episode) => (
          <li key={episode.entryId} className="episode card">
            <header className="finding-head">
              <span className="finding-name">{nameOf(episode)}</span>
              <span className="finding-marks">
                <EpisodeMark episode={episode} />
              </span>
            </header>
            <FoldedText text={episode.content} most={600}>
              {(text) => <Markdown text={text} />}
            </FoldedText>
            {episode.why === null ? null : <p className="small soft">{withReferences(episode.why)}</p>}
            <p className="finding-by">
              kept by {WHY_KEPT[episode.archiveReason] ?? episode.archiveReason} <Moment at={episode.archivedAt} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
};

const nameOf = ({ finding, goldId }: Episode) => {
  const ref = finding ?? goldId;
  return ref === null ? 'Memory' : <Reference to={ref} />;
};

const EpisodeMark = ({ episode }: { readonly episode: Episode }) => {
  if (episode.superseded) return <SupersededMark why={episode.why ?? undefined} />;
  if (episode.provisional) return <ProvisionalMark why="It is final when its sidebar is done." />;
  return (
    <Badge tone="good" icon={CircleCheck}>
      final
    </Badge>
  );
};

const WHY_KEPT: Readonly<Record<string, string>> = { checkpoint: 'a checkpoint', gold: 'a GOLD', completion: 'the end of the sidebar' };
