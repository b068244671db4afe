import { pendingFindings, refOfFinding, standingFindings, type Sidebar } from '@yarnboard/domain';
import { Link } from 'wouter';
import { useBoard, useCommand, useLive } from '../../live/hooks.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { ItemChoice } from './item-choice.tsx';
import { anywhereFor, foreseeMerge, type Choices } from './merge-foresight.ts';
import { MergePreview } from './merge-preview.tsx';
import { MergeSteps } from './merge-steps.tsx';
import { pathOfSidebar } from '../../shared/names.ts';
import { SeenNotice } from './seen-notice.tsx';
import type { Sight } from './sight.ts';
import { StandingChildren } from './standing-children.tsx';

type Answers = {
  readonly findings: readonly string[] | null;
  readonly golds: readonly string[] | null;
  readonly summary: string;
  readonly recommendations: string;
};

type ConsolidateStepProps = {
  readonly sidebar: Sidebar;
  readonly sight: Sight;
  readonly onClose: () => void;
  readonly onDone: (seq: number) => void;
};

/** Chooses what goes back. Unless somebody chooses otherwise it is all that stands. */
export const ConsolidateStep = ({ sidebar, sight, onClose, onDone }: ConsolidateStepProps) => {
  const live = useLive();
  const consolidate = useCommand('sidebar_consolidate');
  const before = sidebar.merge?.package ?? null;
  const { answers, change, written, sent } = useAnswers<Answers>(`consolidate/${sidebar.id}`, {
    findings: before?.keyFindings ?? null,
    golds: before?.goldCandidates ?? null,
    summary: before?.summary ?? '',
    recommendations: before?.recommendations ?? '',
  });
  const choices: Choices = {
    ...(answers.summary.trim() === '' ? {} : { summary: answers.summary.trim() }),
    ...(answers.findings === null ? {} : { keyFindings: answers.findings }),
    ...(answers.recommendations.trim() === '' ? {} : { recommendations: answers.recommendations.trim() }),
    ...(answers.golds === null ? {} : { goldCandidates: answers.golds }),
  };
  const foresight = useBoard((board) => foreseeMerge(board, sidebar, choices, anywhereFor(sidebar), live.now()), [sidebar, JSON.stringify(choices)]);
  // What the domain would make of it without anybody's choice, to begin from.
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
  const isPending = sidebar.status === 'ACTIVE' && pendingFindings(sidebar.scratchpad).length > 0;
  const submit = async (): Promise<void> => {
    const outcome = await sent(() => consolidate.send({ sidebarId: sidebar.id, ifSeq: sight.seen, ...choices }));
    if (outcome.kind === 'done') onDone(outcome.seq);
  };
  return (
    <CommandDialog
      size="wide"
      title={`Prepare merge of ${sidebar.ref}`}
      description="Choose what to merge. The curator reviews it and the coordinator approves it first."
      confirm="Prepare merge"
      refusal={consolidate.refusal ?? foresight.refusal}
      remedy={
        isPending ? (
          <Link href={`${pathOfSidebar(sidebar)}?tab=scratchpad`} onClick={onClose}>
            Review findings
          </Link>
        ) : null
      }
      isDisabled={foresight.refusal !== null}
      isSending={consolidate.isSending}
      written={written}
      about={<MergeSteps at={1} />}
      onSubmit={submit}
      onClose={onClose}
    >
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
      <MergePreview sidebar={{ ...sidebar, merge: null }} foresight={foresight} target={sidebar.parent ?? sidebar.mergeTarget} />
    </CommandDialog>
  );
};
