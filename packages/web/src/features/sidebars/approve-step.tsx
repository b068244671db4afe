import type { Sidebar } from '@yarnboard/domain';
import { CircleCheck, CircleX, Pencil, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useDraft } from '../../live/draft.ts';
import { useBoard, useCommand, useLive } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { InterventionNote } from '../../shared/intervention-note.tsx';
import '../../shared/dialogs.css';
import { anywhereFor, foreseeMerge } from './merge-foresight.ts';
import { MergeObstacles } from './merge-obstacles.tsx';
import { MergePreview } from './merge-preview.tsx';
import { MergeSteps } from './merge-steps.tsx';
import { needsTarget, TargetChoice, targetNamed } from './merge-target.tsx';
import { MoveDialog } from './reason-dialog.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { SeenNotice } from './seen-notice.tsx';
import type { Sight } from './sight.ts';
import { StandingChildren } from './standing-children.tsx';

type ApproveStepProps = { readonly sidebar: Sidebar; readonly sight: Sight; readonly onClose: () => void; readonly onChange: () => void };

/** PAGE-90, PAGE-91: shows what would be merged, takes the curator's review, and approves exactly what was seen. */
export const ApproveStep = ({ sidebar, sight, onClose, onChange }: ApproveStepProps) => {
  const live = useLive();
  const tell = useToast();
  const merge = useCommand('sidebar_merge');
  const [name, setName] = useState('');
  const [isSendingBack, setIsSendingBack] = useState(false);
  const target = useBoard((board) => targetNamed(board, name), [name]);
  const context = target?.context ?? sidebar.parent ?? sidebar.mergeTarget;
  const foresight = useBoard((board) => foreseeMerge(board, sidebar, null, target?.context ?? anywhereFor(sidebar), live.now()), [sidebar, target]);
  const keyFindings = sidebar.merge?.package.keyFindings ?? [];
  const verdict = useVerdict({ type: 'sidebar.merge', sidebar: sidebar.id, keyFindings, ...(target === null ? {} : { target: target.context }) });
  const isFit = sidebar.merge?.checks.findLast(({ as }) => as === 'curator')?.isFit === true;
  const approval = useRef<HTMLButtonElement>(null);
  const [isSaid, setIsSaid] = useState(false);
  const isReady = isSaid && verdict.refusal === null;
  // After an approving review the form that had the focus disappears, so focus the next step.
  useEffect(() => {
    if (isReady) approval.current?.focus();
  }, [isReady]);
  const approve = async (): Promise<void> => {
    const outcome = await merge.send({
      sidebarId: sidebar.id,
      consolidatedFindings: keyFindings,
      ifSeq: sight.seen,
      ...(target === null ? {} : { parentId: target.parentId }),
    });
    if (outcome.kind !== 'done' && outcome.kind !== 'done-before') return;
    tell({ tone: 'good', title: `${sidebar.ref} merged` });
    onClose();
  };
  if (isSendingBack) return <MoveDialog sidebar={sidebar} kind="send-back" onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={`Merge ${sidebar.ref}`}
      description="This is exactly what will be merged. It needs the curator’s review and the coordinator’s approval."
      actions={
        <>
          <Refusal text={merge.refusal ?? verdict.refusal} />
          <Button icon={Undo2} onClick={() => setIsSendingBack(true)}>
            Send back
          </Button>
          <Button icon={Pencil} onClick={onChange}>
            Edit
          </Button>
          <Button ref={approval} variant="primary" isBusy={merge.isSending} disabled={verdict.refusal !== null} onClick={() => void approve()}>
            Approve and merge
          </Button>
        </>
      }
    >
      <MergeSteps at={isFit ? 3 : 2} />
      <SeenNotice sidebar={sidebar} sight={sight} />
      <StandingChildren sidebar={sidebar} />
      <MergeObstacles sidebar={sidebar} />
      {isFit ? null : <CheckForm isNext sidebar={sidebar} sight={sight} onFit={() => setIsSaid(true)} />}
      {needsTarget(sidebar) ? <TargetChoice sidebar={sidebar} value={name} onChange={setName} /> : null}
      <MergePreview sidebar={sidebar} foresight={foresight} target={context} />
      {isFit ? <CheckForm sidebar={sidebar} sight={sight} onFit={() => setIsSaid(true)} /> : null}
      <InterventionNote instead={verdict.instead} />
    </Dialog>
  );
};

type CheckFormProps = {
  readonly sidebar: Sidebar;
  readonly sight: Sight;
  /** The next step is this review. */
  readonly isNext?: boolean;
  readonly onFit: () => void;
};

/** The review by the curator, or by someone from the target. */
const CheckForm = ({ sidebar, sight, isNext = false, onFit }: CheckFormProps) => {
  const check = useCommand('sidebar_check_merge');
  const [notes, write, , sent] = useDraft(`check/${sidebar.id}`, '');
  const verdict = useVerdict({ type: 'merge.check', sidebar: sidebar.id, isFit: true });
  const say = async (isFit: boolean): Promise<void> => {
    const words = notes.trim() === '' ? {} : { notes: notes.trim() };
    const outcome = await sent(() => check.send({ sidebarId: sidebar.id, fit: isFit, ifSeq: sight.seen, ...words }));
    if (outcome.kind !== 'done') return;
    sight.look(outcome.seq);
    if (isFit) onFit();
  };
  if (verdict.refusal !== null) return null;
  return (
    <fieldset className="merge-check">
      <legend className="field-label">Your review</legend>
      <TextArea label="Notes" hint="Required when requesting changes." rows={2} value={notes} onChange={(event) => write(event.target.value)} />
      <InterventionNote instead={verdict.instead} />
      <div className="actions">
        <Button icon={CircleX} isBusy={check.isSending} onClick={() => void say(false)}>
          Request changes
        </Button>
        <Button icon={CircleCheck} variant={isNext ? 'primary' : 'plain'} isBusy={check.isSending} onClick={() => void say(true)}>
          Approve
        </Button>
      </div>
      <Refusal text={check.refusal} />
    </fieldset>
  );
};
