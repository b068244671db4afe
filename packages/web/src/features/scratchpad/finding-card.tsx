import { refOfFinding, type Finding, type Sidebar } from '@yarnboard/domain';
import { Gavel, MessageSquarePlus, PencilLine, Sparkles } from 'lucide-react';
import { memo, type KeyboardEvent } from 'react';
import { useVerdict } from '../../live/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { Person } from '../sidebars/people.tsx';
import { Refusal } from '../sidebars/refusal.tsx';
import type { Desk } from './desk.ts';
import { EvidenceList } from './evidence.tsx';
import { findingElementId, FindingMarks, Revisions, Word } from './finding-parts.tsx';
import { JudgementForm } from './judgement-form.tsx';
import { NoteForm } from './note-form.tsx';

export type FindingCardProps = {
  readonly sidebar: Sidebar;
  readonly finding: Finding;
  readonly desk: Desk;
  /** Whether whoever looks at it takes part, and work goes on. */
  readonly canWork: boolean;
  readonly isUnconfirmed: boolean;
  /** Whether the address asks for it. */
  readonly isShown: boolean;
  readonly onJudged: (finding: Finding) => void;
  readonly onRevise: (finding: Finding) => void;
  readonly onMarkGold: (finding: Finding) => void;
};

/** PAGE-103: everything that is known about a finding, and what can be done with it. */
export const FindingCard = memo(({ sidebar, finding, desk, canWork, isUnconfirmed, isShown, onJudged, onRevise, onMarkGold }: FindingCardProps) => {
  const { id, number, status } = finding;
  const ref = refOfFinding(sidebar.ref, finding);
  const judging = useVerdict({ type: 'finding.validate', sidebar: sidebar.id, finding: id, status: 'pending', notes: '…' });
  const annotating = useVerdict({ type: 'finding.annotate', sidebar: sidebar.id, finding: id, note: '…' });
  const canJudge = judging.refusal === null && !isUnconfirmed;
  const canAnnotate = annotating.refusal === null && !isUnconfirmed;
  const open = desk.open?.id === id ? desk.open : null;
  const refusal = desk.refusals.get(id) ?? null;
  const judge = (first: Finding['status']): void => desk.show({ kind: 'judge', id, status: first });

  const listen = (event: KeyboardEvent<HTMLElement>): void => {
    const isOther = event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey;
    const key = isOther ? undefined : KEYS.get(event.key);
    if (key === undefined || (key.kind === 'judge' && !canJudge)) return;
    event.preventDefault();
    if (key.kind === 'judge') judge(key.status);
    else neighbourOf(event.currentTarget, key.by)?.focus();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys are shortcuts for the buttons in it
    <article
      id={findingElementId(finding)}
      className={`finding finding-${finding.supersededBy === null ? status : 'superseded'}${isShown ? ' finding-shown' : ''}`}
      aria-labelledby={`${findingElementId(finding)}-name`}
      aria-keyshortcuts={canJudge ? 'c r' : undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keys reach it
      tabIndex={canJudge ? 0 : -1}
      onKeyDown={listen}
    >
      <header className="finding-head">
        <span id={`${findingElementId(finding)}-name`} className="finding-name">
          <Reference to={ref} />
        </span>
        {finding.ref === '' ? null : <span className="tiny faint numbers">{finding.ref}</span>}
        <CopyButton text={ref} label={`Copy ${ref}`} />
        <FindingMarks sidebar={sidebar} finding={finding} isUnconfirmed={isUnconfirmed} />
      </header>
      <FoldedText text={finding.content}>{(text) => <Markdown text={text} />}</FoldedText>
      {finding.relevanceToTask === null ? null : (
        <p className="finding-relevance">
          <span className="soft">For the task: </span>
          {withReferences(finding.relevanceToTask)}
        </p>
      )}
      <Revisions sidebar={sidebar} finding={finding} />
      <EvidenceList label="Evidence" refs={finding.sourceRefs} />
      <p className="finding-by">
        <Person id={finding.submittedBy} isShort /> <Moment at={finding.submittedAt} />
      </p>
      <Word finding={finding} />
      {finding.annotations.length === 0 ? null : (
        <ul className="finding-notes" aria-label={`Notes on ${ref}`}>
          {finding.annotations.map(({ by, at, note }) => (
            <li key={`${at}-${by}-${note}`}>
              <FoldedText text={note}>{(text) => <p>{withReferences(text)}</p>}</FoldedText>
              <p className="finding-by">
                <Person id={by} isShort /> <Moment at={at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {open?.kind === 'judge' ? (
        <JudgementForm
          key={open.status}
          sidebar={sidebar}
          finding={finding}
          first={open.status}
          refusal={refusal}
          onCancel={() => desk.show(null)}
          onJudge={(judgement) => {
            onJudged(finding);
            return desk.judge(finding, judgement);
          }}
        />
      ) : null}
      {open?.kind === 'annotate' ? (
        <NoteForm
          label="Note"
          placeholder="What others should know about it"
          draftKey={`annotation/${id}`}
          submitText="Add note"
          refusal={refusal}
          onCancel={() => desk.show(null)}
          onSubmit={(note) => desk.annotate(finding, note)}
        />
      ) : null}
      {open === null ? (
        <>
          <Refusal text={refusal} />
          <div className="scratchpad-actions">
            {canJudge ? (
              <Button
                size="small"
                icon={Gavel}
                aria-label={`${status === 'pending' ? 'Judge' : 'Judge again'} finding ${number}`}
                onClick={() => judge(status === 'pending' ? 'confirmed' : status)}
              >
                {status === 'pending' ? 'Judge' : 'Judge again'}
              </Button>
            ) : null}
            {canAnnotate ? (
              <Button
                variant="quiet"
                size="small"
                icon={MessageSquarePlus}
                aria-label={`Annotate finding ${number}`}
                onClick={() => desk.show({ kind: 'annotate', id })}
              >
                Annotate
              </Button>
            ) : null}
            {isUnconfirmed || !canWork ? null : (
              <>
                {finding.supersededBy === null ? (
                  <Button variant="quiet" size="small" icon={PencilLine} aria-label={`Revise finding ${number}`} onClick={() => onRevise(finding)}>
                    Revise
                  </Button>
                ) : null}
                {status === 'rejected' ? null : (
                  <Button
                    variant="quiet"
                    size="small"
                    icon={Sparkles}
                    aria-label={`Mark finding ${number} as GOLD`}
                    onClick={() => onMarkGold(finding)}
                  >
                    GOLD
                  </Button>
                )}
              </>
            )}
          </div>
        </>
      ) : null}
    </article>
  );
});

type Key = { readonly kind: 'judge'; readonly status: Finding['status'] } | { readonly kind: 'move'; readonly by: 1 | -1 };

const KEYS: ReadonlyMap<string, Key> = new Map<string, Key>([
  ['c', { kind: 'judge', status: 'confirmed' }],
  ['r', { kind: 'judge', status: 'rejected' }],
  ['j', { kind: 'move', by: 1 }],
  ['ArrowDown', { kind: 'move', by: 1 }],
  ['k', { kind: 'move', by: -1 }],
  ['ArrowUp', { kind: 'move', by: -1 }],
]);

/** The finding before or after one, in the order in which they are shown. */
const neighbourOf = (element: HTMLElement, by: 1 | -1): HTMLElement | undefined => {
  const all = [...(element.closest('.scratchpad-groups')?.querySelectorAll<HTMLElement>('.finding') ?? [])];
  return all[all.indexOf(element) + by];
};
