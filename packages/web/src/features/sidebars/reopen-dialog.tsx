import type { Sidebar } from '@yarnboard/domain';
import { useLocation } from 'wouter';
import { useCommand } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { TextArea } from '../../ui/field.tsx';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';

/** PAGE-215: continues a sidebar that was ended by mistake, with its former team. */
export const ReopenDialog = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const [, navigate] = useLocation();
  const reopen = useCommand('sidebar_reopen');
  const { answers, change, written, sent } = useAnswers(`reopen/${sidebar.id}`, { reason: '' });
  // Fills in a reason for the check: the field already says that one is required.
  const verdict = useVerdict({ type: 'sidebar.reopen', sidebar: sidebar.id, reason: answers.reason.trim() === '' ? 'a reason' : answers.reason });
  const submit = async (): Promise<void> => {
    const outcome = await sent(() => reopen.send({ sidebarId: sidebar.id, reason: answers.reason.trim() }));
    if (outcome.kind !== 'done' && outcome.kind !== 'done-before') return;
    onClose();
    const ref = outcome.kind === 'done' ? outcome.refs.find((one) => one.startsWith('SB-')) : outcome.ref;
    navigate(ref === undefined || ref === null ? '/sidebars' : `/sidebars/${ref}`);
  };
  return (
    <CommandDialog
      title={`Reopen ${sidebar.ref}`}
      description={`Continues in a new sidebar with the same task and team, and everything ${sidebar.ref} knew. ${sidebar.ref} stays as a record.`}
      confirm="Reopen"
      refusal={reopen.refusal ?? verdict.refusal}
      isSending={reopen.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea label="Why reopen it?" required rows={2} value={answers.reason} onChange={(event) => change({ reason: event.target.value })} />
    </CommandDialog>
  );
};
