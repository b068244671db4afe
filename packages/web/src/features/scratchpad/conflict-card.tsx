import type { Scratchpad, Sidebar } from '@yarnboard/domain';
import { conflictEnd, refOfFinding } from '@yarnboard/domain';
import { Handshake, Swords } from 'lucide-react';
import { Fragment } from 'react';
import { useBoard } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { Person } from '../../shared/people.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { TraceLink } from '../../shared/trace-link.tsx';
import './conflict.css';
import type { Desk } from './desk.ts';
import './judged-word.css';
import { FindingMarks } from './finding-parts.tsx';
import { NoteForm } from './note-form.tsx';
import { itemElementId } from '../../shared/shown-item.ts';

type Conflict = Scratchpad['conflicts'][number];

/** PAGE-105: both sides next to each other, what contradicts, where it is being discussed, and how it was settled. */
export const ConflictCard = ({
  sidebar,
  conflict,
  number,
  isOpen,
  desk,
}: {
  readonly sidebar: Sidebar;
  readonly conflict: Conflict;
  readonly number: number;
  readonly isOpen: boolean;
  readonly desk: Desk;
}) => {
  const { id, resolution } = conflict;
  const end = conflictEnd(sidebar.scratchpad, conflict);
  const resolutionRef = useBoard((board) => (resolution === null ? null : (board.sidebars.get(resolution)?.ref ?? null)), [resolution]);
  const verdict = useVerdict({ type: 'conflict.resolve', sidebar: sidebar.id, conflict: id, notes: '…' });
  const sides = conflict.findings.flatMap((one) => sidebar.scratchpad.findings.find((finding) => finding.id === one) ?? []);
  const refusal = desk.refusals.get(id) ?? null;
  const isSettling = desk.open?.kind === 'settle' && desk.open.id === id;
  return (
    <section
      className={`conflict${isOpen ? ' conflict-open' : ''}`}
      aria-label={`Conflict ${number}`}
      id={itemElementId('conflict', number)}
      tabIndex={-1}
    >
      <header className="finding-head">
        <span className="finding-name">
          <Reference to={`${sidebar.ref}:CONFLICT-${number}`} />
        </span>
        <span className="finding-marks">
          {desk.sending.has(id) ? <OnItsWayMark id={id} /> : null}
          {isOpen ? (
            <Badge tone="warn" icon={Swords}>
              open
            </Badge>
          ) : (
            <Badge tone="good" icon={Handshake}>
              settled
            </Badge>
          )}
          <TraceLink to={`${sidebar.ref}:CONFLICT-${number}`} />
        </span>
      </header>
      <p className="conflict-what">{withReferences(conflict.description)}</p>
      <div className="conflict-sides">
        {sides.map((finding, n) => (
          <Fragment key={finding.id}>
            {n === 0 ? null : <Swords className="conflict-between" aria-label="contradicts" />}
            <div className="conflict-side">
              <header className="finding-head">
                <span className="finding-name">
                  <Reference to={refOfFinding(sidebar.ref, finding)} />
                </span>
                <FindingMarks sidebar={sidebar} finding={finding} />
              </header>
              <FoldedText text={finding.content} most={600}>
                {(text) => <Markdown text={text} />}
              </FoldedText>
              <p className="byline">
                <Person id={finding.submittedBy} isShort /> <Moment at={finding.submittedAt} />
              </p>
            </div>
          </Fragment>
        ))}
      </div>
      {resolutionRef === null || resolutionRef === '' ? null : (
        <p className="small">
          Discussed in <Reference to={resolutionRef} />.
        </p>
      )}
      {end === null ? null : (
        <div className="judged-word">
          {end.notes === null ? null : <FoldedText text={end.notes}>{(text) => <p>{withReferences(text)}</p>}</FoldedText>}
          <p className="byline">
            {OUTCOMES[end.outcome]} {end.by === null ? null : <Person id={end.by} isShort />} {end.at === null ? null : <Moment at={end.at} />}
          </p>
        </div>
      )}
      {isSettling ? (
        <NoteForm
          label="Resolution"
          placeholder="Which finding holds, or why both do"
          draftKey={`settlement/${id}`}
          submitText="Resolve"
          instead={verdict.instead}
          refusal={refusal}
          onCancel={() => desk.show(null)}
          onSubmit={(notes) => desk.settle(id, notes)}
        />
      ) : (
        <>
          <Refusal text={refusal} />
          {isOpen && verdict.refusal === null ? (
            <div className="actions">
              <Button size="small" icon={Handshake} aria-label={`Resolve conflict ${number}`} onClick={() => desk.show({ kind: 'settle', id })}>
                Resolve
              </Button>
              <span className="tiny faint">or reject or revise either finding</span>
            </div>
          ) : null}
        </>
      )}
    </section>
  );
};

const OUTCOMES = {
  settled: 'Resolved by',
  rejected: 'Ended when a finding was rejected by',
  revised: 'Ended when a revision was confirmed by',
} as const;
