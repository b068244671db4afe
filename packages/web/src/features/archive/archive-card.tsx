import { ARCHIVE_REASONS } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { printable, printableLine } from '@yarnboard/transcript';
import { CornerLeftUp, ExternalLink, GitFork, MessageSquare, Quote, Sparkles, TextSearch, Waypoints, type LucideIcon } from 'lucide-react';
import { memo, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { Highlighted } from '../../shared/highlighted.tsx';
import { inShort, nameOf, shortId } from '../../shared/names.ts';
import { Person } from '../../shared/people.tsx';
import { tracePath } from '../../shared/trace-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { counted } from '../../ui/wording.ts';
import { endingLook, fieldWords, reasonWords } from './archive-words.ts';

export type ArchiveHit = InsideOutput<'archive_search'>['items'][number];

export type ArchiveCardProps = {
  readonly hit: ArchiveHit;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Null for read-only visitors. */
  readonly onFork: ((sidebarRef: string) => void) | null;
};

/** PAGE-503: an archived sidebar: how it ended, who took part, what it produced, and why it matched. */
export const ArchiveCard = memo(({ hit, onKeyDown, onFork }: ArchiveCardProps) => {
  const { sidebarId, taskDescription, taskType, finalStatus, archiveReason, archivedAt, archivedBy, summary, note, tags, participants, matched } =
    hit;
  const path = `/sidebars/${sidebarId}`;
  return (
    <article className="archive-card card" aria-label={`${sidebarId}: ${inShort(taskDescription)}`}>
      <header className="archive-card-head">
        <span className="numbers soft">{sidebarId}</span>
        <Ending status={finalStatus} />
        {taskType === null ? null : <Badge>{inShort(taskType, 60)}</Badge>}
        <span className="archive-card-when">
          {reasonText(archiveReason)} · {nameOf(archivedBy)}, <Moment at={archivedAt} />
        </span>
      </header>
      <Link href={path} className="archive-card-title" data-stop onKeyDown={onKeyDown}>
        {inShort(taskDescription)}
      </Link>
      {summary === '' ? null : (
        <div className="archive-card-summary">
          <FoldedText text={summary} most={400}>
            {(text) => <p>{withReferences(text)}</p>}
          </FoldedText>
        </div>
      )}
      {note === null || note === '' ? null : <p className="small soft">Note: {withReferences(inShort(note, 400))}</p>}
      {matched.map((match) => (
        <Match key={match.by} match={match} />
      ))}
      <div className="archive-card-foot">
        <span className="archive-card-people">
          {participants.slice(0, MOST_FACES).map((id) => (
            <Person key={id} id={id} isShort />
          ))}
          {participants.length > MOST_FACES ? (
            <span title={participants.slice(MOST_FACES).map(nameOf).join(', ')}>+{participants.length - MOST_FACES}</span>
          ) : null}
        </span>
        <Facts hit={hit} />
        {tags.slice(0, MOST_TAGS).map((tag) => (
          <Badge key={tag}>{inShort(tag, 60)}</Badge>
        ))}
        {tags.length > MOST_TAGS ? (
          <span className="faint" title={printable(tags.slice(MOST_TAGS).join(', '))}>
            +{tags.length - MOST_TAGS} tags
          </span>
        ) : null}
        <span className="archive-card-deeds">
          <Link href={path} className="button button-quiet button-small" aria-label={`Open ${sidebarId}`}>
            <ExternalLink aria-hidden />
            <span>Open</span>
          </Link>
          {onFork === null ? null : (
            <Button variant="quiet" size="small" icon={GitFork} aria-label={`Fork ${sidebarId}…`} onClick={() => onFork(sidebarId)}>
              Fork…
            </Button>
          )}
          <Link href={tracePath(sidebarId)} className="button button-quiet button-small" aria-label={`Trace ${sidebarId}`}>
            <Waypoints aria-hidden />
            <span>Trace</span>
          </Link>
        </span>
      </div>
    </article>
  );
});

/** How it ended; what was still open is never shown as ongoing. */
const Ending = ({ status }: { readonly status: ArchiveHit['finalStatus'] }) => {
  const { word, icon, tone, says } = endingLook(status);
  return (
    <Badge tone={tone} icon={icon} title={says}>
      {word}
    </Badge>
  );
};

/** Why it matched: by which method, in which field, how well, and on which words. */
const Match = ({ match: { by, field, score, snippet, highlights } }: { readonly match: ArchiveHit['matched'][number] }) => {
  const isByWords = by === 'fuzzy_text';
  const Icon = isByWords ? TextSearch : Sparkles;
  return (
    <div className="archive-match">
      <p className="archive-match-why">
        <Icon aria-hidden />
        <span>
          {isByWords ? 'Words' : 'Meaning'} in the {fieldWords(field)} · {Math.round(score * 100)}%
        </span>
        {field === 'rejected_finding' ? <Badge tone="bad">rejected</Badge> : null}
      </p>
      <p className="archive-match-text">
        <Highlighted text={snippet} places={highlights} />
      </p>
    </div>
  );
};

/** Where it came from and what it left behind. */
const Facts = ({ hit: { parentContextId, forkedFrom, forkedInto, localMemory, goldCitations, citationsCreated } }: { readonly hit: ArchiveHit }) => (
  <>
    {parentContextId === null ? null : (
      <span className="archive-fact" title="Parent">
        <CornerLeftUp aria-hidden />
        <span className="visually-hidden">branched off </span>
        {/^SB-\d+$/u.test(parentContextId) ? (
          <Reference to={parentContextId} />
        ) : (
          <Link href={`/sessions/${encodeURIComponent(parentContextId)}`}>session {shortId(parentContextId)}</Link>
        )}
      </span>
    )}
    {[...(forkedFrom === null ? [] : [forkedFrom]), ...forkedInto.slice(0, MOST_FORKS)].map((ref) => (
      <span key={ref} className="archive-fact" title={ref === forkedFrom ? 'Forked from' : 'Forked into'}>
        <GitFork aria-hidden />
        <span className="visually-hidden">{ref === forkedFrom ? 'forked from ' : 'forked into '}</span>
        <Reference to={ref} />
      </span>
    ))}
    <Count icon={MessageSquare} says={counted(localMemory.messages, 'message')} n={localMemory.messages} />
    <Count icon={Sparkles} says={`${goldCitations.length} GOLD`} n={goldCitations.length} />
    <Count icon={Quote} says={counted(citationsCreated.length, 'citation')} n={citationsCreated.length} />
  </>
);

const Count = ({ icon: Icon, n, says }: { readonly icon: LucideIcon; readonly n: number; readonly says: string }) =>
  n === 0 ? null : (
    <span className="archive-fact">
      <Icon aria-hidden />
      {says}
    </span>
  );

const reasonText = (told: string): string => {
  const reason = ARCHIVE_REASONS.find((one) => one === told);
  return reason === undefined ? printableLine(told) : reasonWords(reason);
};

const MOST_FACES = 4;
const MOST_TAGS = 6;
const MOST_FORKS = 5;
