import { findingNamed, goldOf, type Context, type MergePackage, type Sidebar } from '@yarnboard/domain';
import { CircleCheck, CircleSlash, MessageSquareReply, PackageOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useBoard } from '../../live/hooks.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { ProvisionalMark } from '../../ui/marks.tsx';
import { Reference } from '../../ui/reference.tsx';
import { counted } from '../../ui/wording.ts';
import { ContextLink } from '../../shared/context-link.tsx';
import type { Foresight } from './merge-foresight.ts';
import './merge-preview.css';
import { nameOf } from '../../shared/names.ts';

export type MergePreviewProps = { readonly sidebar: Sidebar; readonly foresight: Foresight; readonly target: Context | null };

/** PAGE-90: exactly what would be merged, and what would be left out. */
export const MergePreview = ({ sidebar, foresight, target }: MergePreviewProps) => {
  const { package: made, exchange, leftOut } = foresight;
  if (made === null) return null;
  return (
    <section className="merge-preview" aria-label="Merge preview">
      <Part
        icon={MessageSquareReply}
        title={target === null ? 'Will be added' : 'Will be added to'}
        beside={target === null ? null : <ContextLink context={target} />}
      >
        <blockquote className="merge-preview-exchange">
          <Markdown text={exchange?.text ?? made.summary} />
        </blockquote>
        {made.recommendations === null ? null : (
          <div className="merge-preview-words">
            <h4>Recommendations</h4>
            <Markdown text={made.recommendations} />
          </div>
        )}
      </Part>
      <Part icon={PackageOpen} title={`Includes ${said(made)}`}>
        <Findings refs={made.keyFindings} />
        <Golds refs={made.goldCandidates} />
        {made.newCitations.length === 0 ? null : (
          <p className="merge-preview-line">
            Citations:
            {made.newCitations.map((ref) => (
              <Reference key={ref} to={ref} />
            ))}
          </p>
        )}
      </Part>
      <Part icon={CircleSlash} title={leftOut.length === 0 ? 'Nothing excluded' : `${leftOut.length} excluded`}>
        {leftOut.length === 0 ? null : (
          <ul className="merge-preview-list">
            {leftOut.map(({ ref, why, what }) => (
              <li key={ref}>
                <Reference to={ref} /> <strong>{why}</strong>
                <p className="merge-preview-what">{what}</p>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part icon={CircleCheck} title="Reviews">
        <Checks sidebar={sidebar} />
      </Part>
    </section>
  );
};

const said = ({ keyFindings, goldCandidates, newCitations }: MergePackage): string =>
  [
    counted(keyFindings.length, 'finding'),
    ...(goldCandidates.length === 0 ? [] : [`${goldCandidates.length} GOLD`]),
    ...(newCitations.length === 0 ? [] : [counted(newCitations.length, 'citation')]),
  ].join(', ');

type PartProps = { readonly icon: typeof CircleCheck; readonly title: string; readonly beside?: ReactNode; readonly children: ReactNode };

const Part = ({ icon: Icon, title, beside, children }: PartProps) => (
  <div className="merge-preview-part">
    <h3 className="merge-preview-title">
      <Icon aria-hidden />
      <span>{title}</span>
      {beside}
    </h3>
    {children}
  </div>
);

const Findings = ({ refs }: { readonly refs: readonly string[] }) => {
  const findings = useBoard((board) => refs.map((ref) => ({ ref, finding: findingNamed(board, ref)?.finding ?? null })), [refs.join()]);
  return findings.length === 0 ? (
    <p className="merge-preview-line">No findings.</p>
  ) : (
    <ul className="merge-preview-list">
      {findings.map(({ ref, finding }) => (
        <li key={ref}>
          <Reference to={ref} />
          {finding === null ? null : (
            <>
              <p className="merge-preview-what merge-preview-kept">{finding.content}</p>
              <p className="merge-preview-line">
                by {nameOf(finding.submittedBy)}
                {finding.validatedBy === null ? null : `, confirmed by ${nameOf(finding.validatedBy)}`}
                {finding.sourceRefs.length === 0 ? ', no evidence' : ', evidence:'}
                {finding.sourceRefs.map((source) => (
                  <Reference key={source} to={source} />
                ))}
              </p>
            </>
          )}
        </li>
      ))}
    </ul>
  );
};

const Golds = ({ refs }: { readonly refs: readonly string[] }) => {
  const golds = useBoard((board) => refs.flatMap((ref) => goldOf(board, ref) ?? []), [refs.join()]);
  return golds.length === 0 ? null : (
    <ul className="merge-preview-list">
      {golds.map((gold) => (
        <li key={gold.id}>
          <Reference to={gold.ref} /> {gold.isProvisional ? <ProvisionalMark why="Becomes final with the merge." /> : null}
          <p className="merge-preview-what merge-preview-kept">{gold.keyInsight}</p>
        </li>
      ))}
    </ul>
  );
};

const Checks = ({ sidebar: { merge, curator } }: { readonly sidebar: Sidebar }) => {
  const checks = merge?.checks ?? [];
  return (
    <ul className="merge-preview-list">
      {merge === null ? null : <li className="merge-preview-line">Prepared by {nameOf(merge.proposedBy)}.</li>}
      {checks.map((check) => (
        <li key={check.at} className={check.isFit ? 'merge-preview-fit' : 'merge-preview-unfit'}>
          <strong>{nameOf(check.by)}</strong>, {check.as === 'curator' ? 'as curator' : 'for the target'}:{' '}
          {check.isFit ? 'approved' : 'changes requested'}
          {check.notes === null ? null : <p className="merge-preview-what merge-preview-kept">{check.notes}</p>}
        </li>
      ))}
      {checks.some(({ as }) => as === 'curator') ? null : (
        <li className="merge-preview-line">Waiting for {nameOf(curator)} (curator) to review it.</li>
      )}
    </ul>
  );
};
