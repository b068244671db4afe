import type { Sidebar } from '@yarnboard/domain';
import { CircleCheck, CircleX, Pencil, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useBoard, useCommand, useLive } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { InterventionNote } from '../scratchpad/intervention-note.tsx';
import './dialogs.css';
import { anywhereFor, foreseeMerge } from './merge-foresight.ts';
import { MergePreview } from './merge-preview.tsx';
import { needsTarget, TargetChoice, targetNamed } from './merge-target.tsx';
import { MoveDialog } from './reason-dialog.tsx';
import { Refusal } from './refusal.tsx';
import { SeenNotice } from './seen-notice.tsx';
import type { Sight } from './sight.ts';

type ApproveStepProps = { readonly sidebar: Sidebar; readonly sight: Sight; readonly onClose: () => void; readonly onChange: () => void };

/** PAGE-90, PAGE-91: shows what would be merged, takes the curator's word, and approves what was seen and nothing else. */
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
  const approve = async (): Promise<void> => {
    const outcome = await merge.send({
      sidebarId: sidebar.id,
      consolidatedFindings: keyFindings,
      ifSeq: sight.seen,
      ...(target === null ? {} : { parentId: target.parentId }),
    });
    if (outcome.kind !== 'done' && outcome.kind !== 'done-before') return;
    tell({ tone: 'good', title: `${sidebar.ref} is merged` });
    onClose();
  };
  if (isSendingBack) return <MoveDialog sidebar={sidebar} kind="send-back" onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={`Merge ${sidebar.ref}`}
      description="This is exactly what would be merged. It goes in when the curator found it fit and the coordinator approves it."
      actions={
        <>
          <Refusal text={merge.refusal ?? verdict.refusal} />
          <Button icon={Undo2} onClick={() => setIsSendingBack(true)}>
            Send back
          </Button>
          <Button icon={Pencil} onClick={onChange}>
            Change
          </Button>
          <Button variant="primary" isBusy={merge.isSending} onClick={() => void approve()}>
            Approve and merge
          </Button>
        </>
      }
    >
      <SeenNotice sidebar={sidebar} sight={sight} />
      {needsTarget(sidebar) ? <TargetChoice sidebar={sidebar} value={name} onChange={setName} /> : null}
      <MergePreview sidebar={sidebar} foresight={foresight} target={context} />
      <CheckForm sidebar={sidebar} sight={sight} />
      <InterventionNote instead={verdict.instead} />
    </Dialog>
  );
};

/** The word of the curator, or of somebody from where it goes. */
const CheckForm = ({ sidebar, sight }: { readonly sidebar: Sidebar; readonly sight: Sight }) => {
  const check = useCommand('sidebar_check_merge');
  const [notes, setNotes] = useState('');
  const verdict = useVerdict({ type: 'merge.check', sidebar: sidebar.id, isFit: true });
  const say = async (isFit: boolean): Promise<void> => {
    const words = notes.trim() === '' ? {} : { notes: notes.trim() };
    const outcome = await check.send({ sidebarId: sidebar.id, fit: isFit, ifSeq: sight.seen, ...words });
    if (outcome.kind !== 'done') return;
    setNotes('');
    sight.look(outcome.seq);
  };
  if (verdict.refusal !== null) return null;
  return (
    <fieldset className="merge-check">
      <legend className="field-label">Your word on it</legend>
      <TextArea label="Notes" hint="Needed when it is to be changed." rows={2} value={notes} onChange={(event) => setNotes(event.target.value)} />
      <InterventionNote instead={verdict.instead} />
      <div className="merge-check-deeds">
        <Button icon={CircleX} isBusy={check.isSending} onClick={() => void say(false)}>
          Needs changes
        </Button>
        <Button icon={CircleCheck} isBusy={check.isSending} onClick={() => void say(true)}>
          It is fit
        </Button>
      </div>
      <Refusal text={check.refusal} />
    </fieldset>
  );
};
