import type { Finding, Sidebar } from '@yarnboard/domain';
import { FoldedText } from '../../ui/folded-text.tsx';
import { JudgementMark, ProvisionalMark, SupersededMark } from '../../ui/marks.tsx';
import { OnItsWayMark } from '../../shared/on-its-way-mark.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Reference, withReferences } from '../../ui/reference.tsx';
import { Person } from '../../shared/people.tsx';
import { ChecksMade } from './checks.tsx';
import type { Revised } from './finding-groups.ts';
import './finding.css';
import './judged-word.css';

/** The DOM id of a finding. */
export const findingElementId = ({ number }: Pick<Finding, 'number'>): string => `finding-${number}`;

/** CITE-6: a finding is provisional until its sidebar is done. */
const isProvisionalIn = ({ status }: Pick<Sidebar, 'status'>, finding: Finding): boolean =>
  finding.status === 'confirmed' && finding.supersededBy === null && status !== 'MERGED' && status !== 'ARCHIVED';

export const FindingMarks = ({
  sidebar,
  finding,
  isUnconfirmed = false,
}: {
  readonly sidebar: Pick<Sidebar, 'status'>;
  readonly finding: Finding;
  readonly isUnconfirmed?: boolean;
}) => (
  <span className="finding-marks">
    {isUnconfirmed ? <OnItsWayMark id={finding.id} /> : null}
    {finding.supersededBy === null ? null : <SupersededMark why="A confirmed revision replaced it." />}
    {isProvisionalIn(sidebar, finding) ? <ProvisionalMark why="It may change until the sidebar is merged or archived." /> : null}
    <JudgementMark status={finding.status} />
  </span>
);

/** PAD-7, PAD-21: links between a revision and what it revises, and from a repeated finding to the first one. */
export const Revisions = ({ finding, revised: { before, after, waiting, same } }: { readonly finding: Finding; readonly revised: Revised }) => (
  <p className="finding-revisions small">
    {before === null ? null : (
      <span>
        {finding.status === 'confirmed' ? 'Replaces ' : 'Would replace '}
        <Reference to={before} />
      </span>
    )}
    {after === null ? null : (
      <span>
        Superseded by <Reference to={after} />
      </span>
    )}
    {same === null ? null : (
      <span>
        Says the same as <Reference to={same} />
      </span>
    )}
    {waiting.map((revision) => (
      <span key={revision}>
        Revision to review: <Reference to={revision} />
      </span>
    ))}
  </p>
);

const WORDS = { pending: 'Left pending by', confirmed: 'Confirmed by', rejected: 'Rejected by' } as const satisfies Record<Finding['status'], string>;

/** The curator's comment on it. */
export const Word = ({ finding }: { readonly finding: Finding }) =>
  finding.validatedBy === null ? null : (
    <div className="judged-word">
      {finding.validationNotes === null ? null : <FoldedText text={finding.validationNotes}>{(text) => <p>{withReferences(text)}</p>}</FoldedText>}
      <ChecksMade checks={finding.checks} />
      <p className="byline">
        {WORDS[finding.status]} <Person id={finding.validatedBy} isShort /> <Moment at={finding.validatedAt} />
      </p>
    </div>
  );
