import { linked, refOfFinding, type Board, type Episode, type Sidebar } from '@yarnboard/domain';
import { BookMarked, CircleCheck } from 'lucide-react';
import { memo } from 'react';
import { useActor, useBoard, useCommand } from '../../live/hooks.tsx';
import { EpisodeMark, TRIGGERS, WHY_KEPT } from '../../shared/episode-words.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { Empty } from '../../ui/state.tsx';
import { itemElementId } from '../../shared/shown-item.ts';

/** What episodic memory keeps of a sidebar: provisional while the sidebar is open, then final or superseded. */
export const Episodes = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const episodes = useBoard((board) => latestOf(board, sidebar), [sidebar]);
  const isMine = useActor()?.type === 'human';
  return (
    <section className="episodes" aria-labelledby="episodes-title">
      <h2 id="episodes-title">Episodic memory</h2>
      {episodes.length === 0 ? (
        <Empty icon={BookMarked} title="Nothing saved yet">
          Checkpoints and GOLD save confirmed findings here, and you can remember any message. The rest is saved when the sidebar ends.
        </Empty>
      ) : null}
      <ul className="episodes-list">
        {episodes.map(({ episode, ref, number }) => (
          <KeptEpisode key={episode.id} episode={episode} to={ref} sidebarRef={sidebar.ref} number={number} isMine={isMine} />
        ))}
      </ul>
    </section>
  );
};

type KeptEpisodeProps = {
  readonly episode: Episode;
  readonly to: string | null;
  readonly sidebarRef: string;
  readonly number: number;
  readonly isMine: boolean;
};

/** PAGE-351: what was kept, why, its status, and what it replaces. */
const KeptEpisode = memo(({ episode, to, sidebarRef, number, isMine }: KeptEpisodeProps) => {
  const { send, isSending, refusal } = useCommand('memory_finalise');
  const name = `${sidebarRef}:EPISODE-${number}`;
  const canFinalise = isMine && episode.isProvisional && episode.about !== null;
  return (
    <li className="episode card" id={itemElementId('episode', number)} tabIndex={-1}>
      <header className="finding-head">
        <span className="finding-name">{to === null ? 'Memory' : <Reference to={to} />}</span>
        <span className="finding-marks">
          <Badge>{TRIGGERS[episode.trigger]}</Badge>
          <EpisodeMark episode={episode} />
          <TraceLink to={name} />
        </span>
      </header>
      <FoldedText text={episode.content} most={600}>
        {(text) => <Markdown text={text} />}
      </FoldedText>
      {episode.note === null ? null : <p className="small">{withReferences(episode.note)}</p>}
      {episode.why === null ? null : <p className="small soft">{withReferences(episode.why)}</p>}
      {episode.tags.length === 0 ? null : (
        <p className="episode-tags">
          {episode.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
      <p className="byline">
        <Reference to={name} /> kept by {WHY_KEPT[episode.trigger]} <Moment at={episode.at} />
      </p>
      {canFinalise ? (
        <Button size="small" icon={CircleCheck} isBusy={isSending} onClick={() => void send({ episodes: [name] })}>
          Make final
        </Button>
      ) : null}
      <Refusal text={refusal} />
    </li>
  );
});

type Kept = { readonly episode: Episode; readonly ref: string | null; /** Counted from 1 within its sidebar. */ readonly number: number };

const latestOf = (board: Board, sidebar: Sidebar): readonly Kept[] => {
  const findings = new Map(sidebar.scratchpad.findings.map((finding) => [finding.id, refOfFinding(sidebar.ref, finding)]));
  // A GOLD that isn't on the log yet has no reference.
  const goldOf = ({ gold }: Episode): string => (gold === null ? '' : (board.golds.get(gold)?.ref ?? ''));
  return linked(board, 'episodes', sidebar.id)
    .flatMap((id, at) => {
      const episode = board.episodes.get(id);
      return episode === undefined ? [] : [{ episode, number: at + 1 }];
    })
    .toSorted((a, b) => b.episode.position - a.episode.position)
    .slice(0, MOST_SHOWN)
    .map(({ episode, number }) => ({ episode, number, ref: (findings.get(episode.finding ?? '') ?? (episode.about || goldOf(episode))) || null }));
};

const MOST_SHOWN = 500;
