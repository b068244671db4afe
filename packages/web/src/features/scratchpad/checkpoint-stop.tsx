import { refOfFinding, type Scratchpad, type Sidebar } from '@yarnboard/domain';
import { Archive, MessageSquarePlus, Milestone, Plus } from 'lucide-react';
import { useActor } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { JudgementMark, SupersededMark, UnconfirmedMark } from '../../ui/marks.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { inShort } from '../citations/reference-gist.tsx';
import { Person } from '../sidebars/people.tsx';
import { NoteForm } from './note-form.tsx';

type Checkpoint = Scratchpad['checkpoints'][number];

export type CheckpointStopProps = {
  readonly sidebar: Sidebar;
  readonly checkpoint: Checkpoint;
  readonly before: Checkpoint | null;
  readonly number: number;
  readonly isUnconfirmed: boolean;
  readonly canAnnotate: boolean;
  readonly isAnnotating: boolean;
  readonly refusal: string | null;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onAnnotate: (note: string) => Promise<boolean>;
};

/** A checkpoint: what was said, what stood by then, what was new, who noted what. */
export const CheckpointStop = (props: CheckpointStopProps) => {
  const { sidebar, checkpoint, before, number, isUnconfirmed, canAnnotate, isAnnotating, refusal, onOpen, onClose, onAnnotate } = props;
  const actor = useActor();
  const notes = Object.entries(checkpoint.annotations);
  const hasMine = actor !== null && checkpoint.annotations[actor.id] !== undefined;
  return (
    <li className="checkpoint">
      <Milestone className="checkpoint-dot" aria-hidden />
      <article className="checkpoint-card card" aria-label={`Checkpoint ${number}`}>
        <header className="finding-head">
          <span className="finding-name">CHECKPOINT-{number}</span>
          {isUnconfirmed ? <UnconfirmedMark /> : null}
          <span className="finding-by checkpoint-by">
            <Person id={checkpoint.createdBy} isShort /> <Moment at={checkpoint.createdAt} />
          </span>
        </header>
        <FoldedText text={checkpoint.summary}>{(text) => <Markdown text={text} />}</FoldedText>
        <StoodThen sidebar={sidebar} checkpoint={checkpoint} before={before} />
        {notes.length === 0 ? null : (
          <ul className="finding-notes" aria-label={`Notes on checkpoint ${number}`}>
            {notes.map(([agent, note]) => (
              <li key={agent}>
                <FoldedText text={note}>{(text) => <p>{withReferences(text)}</p>}</FoldedText>
                <p className="finding-by">
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
            submitText={hasMine ? 'Replace your note' : 'Add note'}
            refusal={refusal}
            isSending={isUnconfirmed}
            onCancel={onClose}
            onSubmit={onAnnotate}
          />
        ) : canAnnotate ? (
          <div className="scratchpad-actions">
            <Button
              variant="quiet"
              size="small"
              icon={MessageSquarePlus}
              aria-label={`${hasMine ? 'Change your note on' : 'Annotate'} checkpoint ${number}`}
              onClick={onOpen}
            >
              {hasMine ? 'Change your note' : 'Annotate'}
            </Button>
          </div>
        ) : null}
      </article>
    </li>
  );
};

const StoodThen = ({ sidebar, checkpoint, before }: Pick<CheckpointStopProps, 'sidebar' | 'checkpoint' | 'before'>) => {
  const findings = checkpoint.findings.flatMap((id) => sidebar.scratchpad.findings.find((finding) => finding.id === id) ?? []);
  if (findings.length === 0) return <p className="small soft">Nothing was confirmed by then.</p>;
  return (
    <ul className="checkpoint-findings" aria-label="Findings by then">
      {findings.map((finding) => (
        <li key={finding.id}>
          <span className="checkpoint-new">
            {before?.findings.includes(finding.id) === true ? null : <Plus aria-label="new since the checkpoint before" />}
          </span>
          <Reference to={refOfFinding(sidebar.ref, finding)}>FINDING-{finding.number}</Reference>
          <span className="checkpoint-gist">{inShort(finding.content)}</span>
          {finding.supersededBy === null ? null : <SupersededMark why="It was revised since." />}
          {finding.status === 'confirmed' ? null : <JudgementMark status={finding.status} />}
        </li>
      ))}
    </ul>
  );
};

export const BackupStop = ({ backup }: { readonly backup: Scratchpad['backups'][number] }) => (
  <li className="checkpoint checkpoint-backup">
    <Archive className="checkpoint-dot" aria-hidden />
    <p className="checkpoint-line">
      <span>Backed up: {withReferences(inShort(backup.reason, 300))}</span>
      {backup.priority === 'high' ? <Badge tone="gold">high priority</Badge> : null}
      <span className="faint">
        <Moment at={backup.at} />
      </span>
    </p>
  </li>
);
