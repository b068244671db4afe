import type { InsideOutput } from '@yarnboard/protocol';
import { CircleCheck, ExternalLink, Waypoints } from 'lucide-react';
import { memo, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { EpisodeMark, TRIGGERS, WHY_KEPT } from '../../shared/episode-words.tsx';
import { inShort, nameOf } from '../../shared/names.ts';
import { Refusal } from '../../shared/refusal.tsx';
import { tracePath } from '../../shared/trace-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, referencePath, withReferences } from '../../ui/reference.tsx';

export type ToldEpisode = InsideOutput<'episodes'>['items'][number];

export type EpisodeCardProps = { readonly episode: ToldEpisode; readonly onKeyDown: (event: KeyboardEvent) => void };

/** PAGE-504: what was kept, and by what, its status, and what it replaces. */
export const EpisodeCard = memo(({ episode, onKeyDown }: EpisodeCardProps) => {
  const { send, isSending, refusal } = useCommand('memory_finalise');
  const isMine = useActor()?.type === 'human';
  const { entryId, archiveReason, provisional, superseded, why, note, tags, about, supersededBy, supersedes, sourceSidebar, archivedAt, archivedBy } =
    episode;
  const kept = episode.finding ?? about ?? episode.goldId;
  const path = referencePath(entryId);
  return (
    <article className="archive-card card" aria-label={entryId}>
      <header className="archive-card-head">
        {path === null ? (
          <span className="numbers">{entryId}</span>
        ) : (
          <Link href={path} className="numbers archive-card-name" data-stop onKeyDown={onKeyDown}>
            {entryId}
          </Link>
        )}
        {kept === null || kept === sourceSidebar ? null : <Reference to={kept} />}
        <Badge>{TRIGGERS[archiveReason]}</Badge>
        <EpisodeMark episode={{ isProvisional: provisional, isSuperseded: superseded, why }} />
        <span className="archive-card-when">
          kept by {WHY_KEPT[archiveReason]} · {nameOf(archivedBy)}, <Moment at={archivedAt} />
        </span>
      </header>
      <FoldedText text={episode.content} most={600}>
        {(text) => <Markdown text={text} />}
      </FoldedText>
      {note === null ? null : <p className="small">{withReferences(note)}</p>}
      {why === null ? null : <p className="small soft">{withReferences(why)}</p>}
      <div className="archive-card-foot">
        {sourceSidebar === null ? null : (
          <span className="archive-fact">
            in <Reference to={sourceSidebar} />
          </span>
        )}
        {supersededBy === null ? null : (
          <span className="archive-fact">
            replaced by <Reference to={supersededBy}>{supersededBy}</Reference>
          </span>
        )}
        {supersedes === null ? null : (
          <span className="archive-fact">
            replaces <Reference to={supersedes}>{supersedes}</Reference>
          </span>
        )}
        {tags.slice(0, MOST_TAGS).map((tag) => (
          <Badge key={tag}>{inShort(tag, 60)}</Badge>
        ))}
        {tags.length > MOST_TAGS ? <span className="faint">+{tags.length - MOST_TAGS} tags</span> : null}
        <span className="archive-card-deeds">
          {isMine && provisional && about !== null ? (
            <Button
              variant="quiet"
              size="small"
              icon={CircleCheck}
              isBusy={isSending}
              aria-label={`Make ${entryId} final`}
              onClick={() => void send({ episodes: [entryId] })}
            >
              Make final
            </Button>
          ) : null}
          {path === null ? null : (
            <Link href={path} className="button button-quiet button-small" aria-label={`Open ${entryId}`}>
              <ExternalLink aria-hidden />
              <span>Open</span>
            </Link>
          )}
          <Link href={tracePath(entryId)} className="button button-quiet button-small" aria-label={`Trace ${entryId}`}>
            <Waypoints aria-hidden />
            <span>Trace</span>
          </Link>
        </span>
      </div>
      <Refusal text={refusal} />
    </article>
  );
});

const MOST_TAGS = 6;
