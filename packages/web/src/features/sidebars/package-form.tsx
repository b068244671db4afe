import { refOfFinding, standingFindings, type Context, type Sidebar } from '@yarnboard/domain';
import { useBoard, useLive } from '../../live/hooks.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { useAnswers, type Answers } from '../../shared/answers.ts';
import { ItemChoice } from '../../shared/item-choice.tsx';
import { anywhereFor, foreseeMerge, type Choices, type Foresight } from './merge-foresight.ts';
import { MergePreview } from './merge-preview.tsx';
import { SeenNotice } from './seen-notice.tsx';
import type { Sight } from './sight.ts';
import { StandingChildren } from './standing-children.tsx';

type PackageAnswers = {
  readonly findings: readonly string[] | null;
  readonly golds: readonly string[] | null;
  readonly summary: string;
  readonly recommendations: string;
};

export type PackageForm = Answers<PackageAnswers> & {
  readonly choices: Choices;
  readonly foresight: Foresight;
  readonly target: Context | null;
};

/** The merge being prepared. Unless the user chooses otherwise, it holds every finding that stands. */
export const usePackageForm = (sidebar: Sidebar, key: string, target: Context | null = null): PackageForm => {
  const live = useLive();
  const before = sidebar.merge?.package ?? null;
  const form = useAnswers<PackageAnswers>(`${key}/${sidebar.id}`, {
    findings: before?.keyFindings ?? null,
    golds: before?.goldCandidates ?? null,
    summary: before?.summary ?? '',
    recommendations: before?.recommendations ?? '',
  });
  const { answers } = form;
  const choices: Choices = {
    ...(answers.summary.trim() === '' ? {} : { summary: answers.summary.trim() }),
    ...(answers.findings === null ? {} : { keyFindings: answers.findings }),
    ...(answers.recommendations.trim() === '' ? {} : { recommendations: answers.recommendations.trim() }),
    ...(answers.golds === null ? {} : { goldCandidates: answers.golds }),
  };
  const foresight = useBoard(
    (board) => foreseeMerge(board, sidebar, choices, target ?? anywhereFor(sidebar), live.now()),
    [sidebar, target, JSON.stringify(choices)],
  );
  return { ...form, choices, foresight, target };
};

type PackageFieldsProps = { readonly sidebar: Sidebar; readonly sight: Sight; readonly form: PackageForm };

/** The choices, and exactly what they would merge. */
export const PackageFields = ({ sidebar, sight, form: { answers, change, foresight, target } }: PackageFieldsProps) => {
  const live = useLive();
  // The domain's own choice, as a starting point.
  const auto = useBoard((board) => foreseeMerge(board, sidebar, {}, anywhereFor(sidebar), live.now()), [sidebar]);
  const findings = standingFindings(sidebar.scratchpad).map((finding) => ({ ref: refOfFinding(sidebar.ref, finding), words: finding.content }));
  const golds = useBoard(
    (board) =>
      sidebar.golds.flatMap((id) => {
        const gold = board.golds.get(id);
        return gold !== undefined && gold.status === 'confirmed' && gold.superseded === null ? [{ ref: gold.ref, words: gold.keyInsight }] : [];
      }),
    [sidebar.golds],
  );
  return (
    <>
      <SeenNotice sidebar={sidebar} sight={sight} />
      <StandingChildren sidebar={sidebar} />
      <ItemChoice
        label="Findings"
        none="No confirmed findings yet."
        items={findings}
        chosen={answers.findings ?? findings.map(({ ref }) => ref)}
        onChange={(chosen) => change({ findings: chosen })}
      />
      {golds.length === 0 ? null : (
        <ItemChoice
          label="GOLD"
          none=""
          items={golds}
          chosen={answers.golds ?? auto.package?.goldCandidates ?? []}
          onChange={(chosen) => change({ golds: chosen })}
        />
      )}
      <TextArea
        label="Summary"
        hint="Leave empty to use the task and findings."
        placeholder={auto.package?.summary ?? ''}
        value={answers.summary}
        onChange={(event) => change({ summary: event.target.value })}
      />
      <TextArea
        label="Recommendations"
        rows={2}
        value={answers.recommendations}
        onChange={(event) => change({ recommendations: event.target.value })}
      />
      {foresight.obstacle === null ? null : <Notice tone="warn">Can’t be merged yet: {withReferences(foresight.obstacle)}</Notice>}
      <MergePreview sidebar={{ ...sidebar, merge: null }} foresight={foresight} target={target ?? sidebar.parent ?? sidebar.mergeTarget} />
    </>
  );
};
