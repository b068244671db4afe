import { printable } from '@yarnboard/transcript';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { countOf } from '../../ui/wording.ts';

/** What an audit found. */
export const AuditVerdict = ({
  verdict: { isWhole, entries, findings },
}: {
  readonly verdict: { readonly isWhole: boolean; readonly entries: number; readonly findings: readonly string[] };
}) => (
  <>
    <p className={`recovery-line ${isWhole ? 'recovery-good' : 'recovery-bad'}`}>
      {isWhole ? <CircleCheck aria-hidden /> : <TriangleAlert aria-hidden />}
      <span>{isWhole ? `Log verified: ${countOf(entries)} entries, no tampering found.` : 'The log is damaged.'}</span>
    </p>
    {findings.length === 0 ? null : (
      <ul className="recovery-notes" aria-label="What the audit found">
        {findings.slice(0, MOST_FINDINGS).map((finding) => (
          <li key={finding}>{printable(finding)}</li>
        ))}
        {findings.length > MOST_FINDINGS ? <li>and {countOf(findings.length - MOST_FINDINGS)} more</li> : null}
      </ul>
    )}
  </>
);

const MOST_FINDINGS = 50;
