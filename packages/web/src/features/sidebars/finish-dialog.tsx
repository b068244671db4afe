import { useState } from 'react';
import { useBoard, useCommand } from '../../live/hooks.tsx';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ReviewFindings } from './consolidate-step.tsx';
import type { MergeDialogProps } from './merge-dialog.tsx';
import { needsTarget, TargetChoice, targetNamed } from './merge-target.tsx';
import { PackageFields, usePackageForm } from './package-form.tsx';
import type { Sight } from './sight.ts';

/** PAGE-214: someone who both coordinates and curates merges exactly what they have seen, in one step. */
export const FinishDialog = ({ sidebar, onClose }: MergeDialogProps) => {
  const finish = useCommand('sidebar_finish');
  const tell = useToast();
  const [seen, setSeen] = useState(sidebar.lastPosition);
  const [name, setName] = useState('');
  const target = useBoard((board) => targetNamed(board, name), [name]);
  const form = usePackageForm(sidebar, 'finish', target?.context ?? null);
  const { choices, foresight, written, sent } = form;
  const sight: Sight = { seen, isNewer: sidebar.lastPosition > seen, look: setSeen };
  const isWithoutTarget = needsTarget(sidebar) && target === null && sidebar.mergeTarget === null;
  const submit = async (): Promise<void> => {
    const outcome = await sent(() =>
      finish.send({ sidebarId: sidebar.id, ifSeq: seen, ...choices, ...(target === null ? {} : { parentId: target.parentId }) }),
    );
    if (outcome.kind !== 'done' && outcome.kind !== 'done-before') return;
    tell({ tone: 'good', title: `${sidebar.ref} merged` });
    onClose();
  };
  return (
    <CommandDialog
      size="wide"
      title={`Finish ${sidebar.ref}`}
      description="You coordinate and curate this sidebar, so it merges in one step."
      confirm="Finish and merge"
      refusal={finish.refusal ?? foresight.refusal}
      remedy={<ReviewFindings sidebar={sidebar} onClose={onClose} />}
      isDisabled={foresight.refusal !== null || foresight.obstacle !== null || isWithoutTarget}
      isSending={finish.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      {needsTarget(sidebar) ? <TargetChoice sidebar={sidebar} value={name} onChange={setName} /> : null}
      <PackageFields sidebar={sidebar} sight={sight} form={form} />
    </CommandDialog>
  );
};
