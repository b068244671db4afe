import { isOperator, refOfFinding, type Finding, type Sidebar } from '@yarnboard/domain';
import { Gavel, MessageSquarePlus, PencilLine, Sparkles } from 'lucide-react';
import { memo, type KeyboardEvent } from 'react';
import { useActor, useBoard } from '../../live/hooks.tsx';
import { isAlike } from '../../live/likeness.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { Person } from '../../shared/people.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';
import type { Desk, OpenForm } from './desk.ts';
import { FindingCheck } from '../claims/claim-check.tsx';
import { EvidenceList } from '../../shared/evidence.tsx';
import { findingElementId, FindingMarks, Revisions, Word } from './finding-parts.tsx';
import { JudgementForm, type JudgementFormProps } from './judgement-form.tsx';
import type { Revised } from './finding-groups.ts';
import { NoteForm } from './note-form.tsx';

export type FindingCardProps = {
  /** Only the fields a finding depends on: the sidebar object itself changes with every message. */
  readonly sidebar: Pick<Sidebar, 'id' | 'ref' | 'status'>;
  readonly finding: Finding;
  readonly revised: Revised | null;
  readonly desk: Pick<Desk, 'show' | 'judge' | 'annotate'>;
  /** The form that is open on this finding. */
  readonly open: OpenForm | null;
  /** Why the last command on this finding was refused. */
  readonly refusal: string | null;
  /** Whether the viewer takes part and the sidebar is still in progress. */
  readonly canWork: boolean;
  readonly canJudge: boolean;
  readonly canAnnotate: boolean;
  readonly isUnconfirmed: boolean;
  /** Whether the URL points to this finding. */
  readonly isShown: boolean;
  readonly onJudged: (finding: Finding) => void;
  readonly onRevise: (finding: Finding) => void;
  readonly onMarkGold: (finding: Finding) => void;
};

/** PAGE-103: everything known about a finding, and the actions on it. */
export const FindingCard = memo(
  (props: FindingCardProps) => {
    const { sidebar, finding, revised, desk, open, refusal, canWork, isUnconfirmed, isShown, onJudged, onRevise, onMarkGold } = props;
    const { id, number, status } = finding;
    const ref = refOfFinding(sidebar.ref, finding);
    const canJudge = props.canJudge && !isUnconfirmed;
    const canAnnotate = props.canAnnotate && !isUnconfirmed;
    const actor = useActor();
    const canCheck = canWork && !isUnconfirmed && actor !== null && isOperator(actor);
    const judge = (first: Finding['status']): void => desk.show({ kind: 'judge', id, status: first, seen: status });

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
          {isUnconfirmed ? null : <TraceLink to={ref} />}
          <FindingMarks sidebar={sidebar} finding={finding} isUnconfirmed={isUnconfirmed} />
        </header>
        <FoldedText text={finding.content}>{(text) => <Markdown text={text} />}</FoldedText>
        {finding.relevanceToTask === null ? null : (
          <p className="finding-relevance">
            <span className="soft">Relevance: </span>
            {withReferences(finding.relevanceToTask)}
          </p>
        )}
        {revised === null ? null : <Revisions finding={finding} revised={revised} />}
        <EvidenceList label="Evidence" refs={finding.sourceRefs} />
        <p className="byline">
          <Person id={finding.submittedBy} isShort /> <Moment at={finding.submittedAt} />
        </p>
        <Word finding={finding} />
        <FindingCheck sidebarId={sidebar.id} finding={finding} canCheck={canCheck} />
        {finding.annotations.length === 0 ? null : (
          <ul className="finding-notes" aria-label={`Notes on ${ref}`}>
            {finding.annotations.map(({ by, at, note }) => (
              <li key={`${at}-${by}-${note}`}>
                <FoldedText text={note}>{(text) => <p>{withReferences(text)}</p>}</FoldedText>
                <p className="byline">
                  <Person id={by} isShort /> <Moment at={at} />
                </p>
              </li>
            ))}
          </ul>
        )}
        {open?.kind === 'judge' ? (
          <OpenJudgement
            key={open.status}
            sidebarId={sidebar.id}
            finding={finding}
            first={open.status}
            seen={open.seen}
            refusal={refusal}
            onLook={judge}
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
            placeholder="What should others know about this finding?"
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
            <div className="actions">
              {canJudge ? (
                <Button
                  size="small"
                  icon={Gavel}
                  aria-label={`${status === 'pending' ? 'Review' : 'Review again'} finding ${number}`}
                  onClick={() => judge(status === 'pending' ? 'confirmed' : status)}
                >
                  {status === 'pending' ? 'Review' : 'Review again'}
                </Button>
              ) : null}
              {canAnnotate ? (
                <Button
                  variant="quiet"
                  size="small"
                  icon={MessageSquarePlus}
                  aria-label={`Add note to finding ${number}`}
                  onClick={() => desk.show({ kind: 'annotate', id })}
                >
                  Add note
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
  },
  (a, b) => isAlike(a, b, 3),
);

/** Only an open form needs the whole sidebar. */
const OpenJudgement = ({ sidebarId, ...rest }: Omit<JudgementFormProps, 'sidebar'> & { readonly sidebarId: string }) => {
  const sidebar = useBoard((board) => board.sidebars.get(sidebarId), [sidebarId]);
  return sidebar === undefined ? null : <JudgementForm sidebar={sidebar} {...rest} />;
};

type Key = { readonly kind: 'judge'; readonly status: Finding['status'] } | { readonly kind: 'move'; readonly by: 1 | -1 };

const KEYS: ReadonlyMap<string, Key> = new Map<string, Key>([
  ['c', { kind: 'judge', status: 'confirmed' }],
  ['r', { kind: 'judge', status: 'rejected' }],
  ['j', { kind: 'move', by: 1 }],
  ['ArrowDown', { kind: 'move', by: 1 }],
  ['k', { kind: 'move', by: -1 }],
  ['ArrowUp', { kind: 'move', by: -1 }],
]);

/** The previous or next finding, in display order. */
const neighbourOf = (element: HTMLElement, by: 1 | -1): HTMLElement | undefined => {
  const all = [...(element.closest('.scratchpad-groups')?.querySelectorAll<HTMLElement>('.finding') ?? [])];
  return all[all.indexOf(element) + by];
};
