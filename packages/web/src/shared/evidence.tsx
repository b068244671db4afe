import { findingNamed, goldOf, provisionalAmong, type Board } from '@yarnboard/domain';
import { useBoard } from '../live/hooks.tsx';
import { ProvisionalMark, SupersededMark, JudgementMark } from '../ui/marks.tsx';
import { Reference } from '../ui/reference.tsx';
import './evidence.css';

/** The status of what is cited, marked wherever it is cited. */
type Standing = 'sound' | 'provisional' | 'rejected' | 'superseded';

const standingOf = (board: Board, ref: string): Standing => {
  const gold = goldOf(board, ref);
  const finding = findingNamed(board, ref)?.finding;
  if ((gold !== null && gold.superseded !== null) || (finding !== undefined && finding.supersededBy !== null)) return 'superseded';
  if ((gold?.status ?? finding?.status) === 'rejected') return 'rejected';
  return provisionalAmong(board, [ref]).length > 0 ? 'provisional' : 'sound';
};

/** References with their status. */
export const EvidenceList = ({ label, refs }: { readonly label: string; readonly refs: readonly string[] }) => {
  const standings = useBoard((board) => refs.map((ref) => ({ ref, standing: standingOf(board, ref) })), [refs]);
  return refs.length === 0 ? null : (
    <div className="evidence">
      <span className="evidence-label">{label}</span>
      <ul className="evidence-list" aria-label={label}>
        {standings.map(({ ref, standing }) => (
          <li key={ref}>
            <Reference to={ref} />
            {standing === 'provisional' ? <ProvisionalMark why={`${ref} may still change.`} /> : null}
            {standing === 'superseded' ? <SupersededMark /> : null}
            {standing === 'rejected' ? <JudgementMark status="rejected" /> : null}
          </li>
        ))}
      </ul>
    </div>
  );
};
