import { pendingFindings, type Sidebar } from '@yarnboard/domain';
import { Link } from 'wouter';
import { useCommand } from '../../live/hooks.tsx';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { pathOfSidebar } from '../../shared/names.ts';
import { MergeSteps } from './merge-steps.tsx';
import { PackageFields, usePackageForm } from './package-form.tsx';
import type { Sight } from './sight.ts';

type ConsolidateStepProps = {
  readonly sidebar: Sidebar;
  readonly sight: Sight;
  readonly onClose: () => void;
  readonly onDone: (seq: number) => void;
};

/** Chooses what to merge. */
export const ConsolidateStep = ({ sidebar, sight, onClose, onDone }: ConsolidateStepProps) => {
  const consolidate = useCommand('sidebar_consolidate');
  const form = usePackageForm(sidebar, 'consolidate');
  const { choices, foresight, written, sent } = form;
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
      remedy={<ReviewFindings sidebar={sidebar} onClose={onClose} />}
      isDisabled={foresight.refusal !== null}
      isSending={consolidate.isSending}
      written={written}
      about={<MergeSteps at={1} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <PackageFields sidebar={sidebar} sight={sight} form={form} />
    </CommandDialog>
  );
};

/** Leads to the findings that need a review before the merge. */
export const ReviewFindings = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) =>
  sidebar.status === 'ACTIVE' && pendingFindings(sidebar.scratchpad).length > 0 ? (
    <Link href={`${pathOfSidebar(sidebar)}?tab=scratchpad`} onClick={onClose}>
      Review findings
    </Link>
  ) : null;
