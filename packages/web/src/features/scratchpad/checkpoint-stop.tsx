import { refOfFinding, type Finding, type Scratchpad } from '@yarnboard/domain';
import { Archive, MessageSquarePlus, Milestone, Plus } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { useActor } from '../../live/hooks.tsx';
import { isAlike } from '../../live/likeness.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { JudgementMark, SupersededMark } from '../../ui/marks.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { countOf } from '../../ui/wording.ts';
import { inShort } from '../../shared/reference-gist.tsx';
import { Person } from '../../shared/people.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';
import { NoteForm } from './note-form.tsx';
import { itemElementId } from '../../shared/shown-item.ts';

type Checkpoint = Scratchpad['checkpoints'][number];

export type CheckpointStopProps = {
  readonly sidebarRef: string;
  readonly checkpoint: Checkpoint;
  /** The findings that stood at that point, in their current state. */
  readonly findings: readonly Finding[];
  readonly before: Checkpoint | null;
  readonly number: number;
  readonly isUnconfirmed: boolean;
  readonly canAnnotate: boolean;
  readonly isAnnotating: boolean;
  readonly refusal: string | null;
  readonly onOpen: (checkpoint: string | null) => void;
  readonly onAnnotate: (checkpoint: string, note: string) => Promise<boolean>;
};

/** A checkpoint: its summary, the findings that stood at that point, which of them were new, and everyone's notes. */
export const CheckpointStop = memo(
  (props: CheckpointStopProps) => {
    const { checkpoint, number, isUnconfirmed, canAnnotate, isAnnotating, refusal, onOpen, onAnnotate } = props;
    const actor = useActor();
    const notes = Object.entries(checkpoint.annotations);
    const hasMine = actor !== null && checkpoint.annotations[actor.id] !== undefined;
    return (
      <li className="checkpoint">
        <Milestone className="checkpoint-dot" aria-hidden />
        <article className="checkpoint-card card" aria-label={`Checkpoint ${number}`} id={itemElementId('checkpoint', number)} tabIndex={-1}>
          <header className="finding-head">
            <span className="finding-name">
              <Reference to={`${props.sidebarRef}:CHECKPOINT-${number}`} />
            </span>
            {isUnconfirmed ? <OnItsWayMark id={checkpoint.id} /> : null}
            <TraceLink to={`${props.sidebarRef}:CHECKPOINT-${number}`} />
            <span className="byline checkpoint-by">
              <Person id={checkpoint.createdBy} isShort /> <Moment at={checkpoint.createdAt} />
            </span>
          </header>
          <FoldedText text={checkpoint.summary}>{(text) => <Markdown text={text} />}</FoldedText>
          <StoodThen {...props} />
          {notes.length === 0 ? null : (
            <ul className="finding-notes" aria-label={`Notes on checkpoint ${number}`}>
              {notes.map(([agent, note]) => (
                <li key={agent}>
                  <FoldedText text={note}>{(text) => <p>{withReferences(text)}</p>}</FoldedText>
                  <p className="byline">
                    <Person id={agent} isShort />
                  </p>
                </li>
              ))}
            </ul>
          )}
          {isAnnotating ? (
            <NoteForm
              label="Your note"
              draftKey={`checkpoint-note/${checkpoint.id}`}
              submitText={hasMine ? 'Save note' : 'Add note'}
              refusal={refusal}
              isSending={isUnconfirmed}
              onCancel={() => onOpen(null)}
              onSubmit={(note) => onAnnotate(checkpoint.id, note)}
            />
          ) : canAnnotate ? (
            <div className="actions">
              <Button
                variant="quiet"
                size="small"
                icon={MessageSquarePlus}
                aria-label={`${hasMine ? 'Edit your note on' : 'Add note to'} checkpoint ${number}`}
                onClick={() => onOpen(checkpoint.id)}
              >
                {hasMine ? 'Edit your note' : 'Add note'}
              </Button>
            </div>
          ) : null}
        </article>
      </li>
    );
  },
  (a, b) => isAlike(a, b),
);

const StoodThen = ({ sidebarRef, findings, before }: Pick<CheckpointStopProps, 'sidebarRef' | 'findings' | 'before'>) => {
  const [isOpen, setIsOpen] = useState(false);
  const earlier = useMemo(() => new Set(before?.findings), [before]);
  if (findings.length === 0) return <p className="small soft">No findings confirmed by then.</p>;
  // The newest come last.
  const shown = isOpen ? findings : findings.slice(-AT_ONCE);
  return (
    <>
      {findings.length > AT_ONCE ? (
        <div className="actions">
          <Button variant="quiet" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `Show all ${countOf(findings.length)}`}
          </Button>
        </div>
      ) : null}
      <ul className="checkpoint-findings" aria-label="Findings so far">
        {shown.map((finding) => (
          <li key={finding.id}>
            <span className="checkpoint-new">{earlier.has(finding.id) ? null : <Plus aria-label="new since the last checkpoint" />}</span>
            <Reference to={refOfFinding(sidebarRef, finding)} />
            <span className="checkpoint-gist">{inShort(finding.content)}</span>
            {finding.supersededBy === null ? null : <SupersededMark why="It has been revised since." />}
            {finding.status === 'confirmed' ? null : <JudgementMark status={finding.status} />}
          </li>
        ))}
      </ul>
    </>
  );
};

const AT_ONCE = 30;

export const BackupStop = ({ backup, goldRef }: { readonly backup: Scratchpad['backups'][number]; readonly goldRef: string | null }) => (
  <li className="checkpoint checkpoint-backup">
    <Archive className="checkpoint-dot" aria-hidden />
    <p className="checkpoint-line">
      <span>
        Backed up: {withReferences(inShort(backup.reason, 300))} {goldRef === null ? null : <Reference to={goldRef} />}
      </span>
      {backup.priority === 'high' ? <Badge tone="gold">high priority</Badge> : null}
      <span className="faint">
        <Moment at={backup.at} />
      </span>
    </p>
  </li>
);
