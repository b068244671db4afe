import { linked, openConflicts, pendingFindings, standingFindings, type Sidebar } from '@yarnboard/domain';
import { Archive, CircleCheck, CircleDashed, GitFork, Play, TriangleAlert } from 'lucide-react';
import { useBoard, useCommand } from '../../live/hooks.tsx';
import { useVerdict } from '../../live/verdict.ts';
import { TextArea, TextField } from '../../ui/field.tsx';
import { counted } from '../../ui/wording.ts';
import { useAnswers } from '../../shared/answers.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import '../../shared/dialogs.css';
import { tagsIn } from './new-sidebar.tsx';
import { ProposalNote } from './proposal-note.tsx';

/** Explains what archiving does to this sidebar before it happens. */
export const ArchiveDialog = ({ sidebar, onClose }: { readonly sidebar: Sidebar; readonly onClose: () => void }) => {
  const archive = useCommand('sidebar_archive');
  const { answers, change, written, sent } = useAnswers(`archive/${sidebar.id}`, { note: '', tags: '' });
  const verdict = useVerdict({ type: 'sidebar.archive', sidebar: sidebar.id });
  const isTest = sidebar.status === 'TESTING';
  const submit = async (): Promise<void> => {
    const words = {
      ...(answers.note.trim() === '' ? {} : { note: answers.note.trim() }),
      ...(tagsIn(answers.tags).length === 0 ? {} : { tags: tagsIn(answers.tags) }),
    };
    const outcome = await sent(() =>
      archive.send({ sidebarId: sidebar.id, ...words }, { proposal: { type: 'sidebar.archive', sidebar: sidebar.id, ...words } }),
    );
    if (outcome.kind === 'done' || outcome.kind === 'done-before') onClose();
  };
  return (
    <CommandDialog
      title={
        verdict.isProposal
          ? `Propose ${isTest ? 'discarding' : 'archiving'} ${sidebar.ref}`
          : isTest
            ? `Discard ${sidebar.ref}`
            : `Archive ${sidebar.ref}`
      }
      description={
        sidebar.status === 'MERGED' || sidebar.status === 'FAILED'
          ? 'Closes the sidebar for good. Nothing is lost.'
          : 'Closes the sidebar for good without merging it. Nothing is lost.'
      }
      about={<WhatHappens sidebar={sidebar} />}
      confirm={verdict.isProposal ? 'Send proposal' : isTest ? 'Discard' : 'Archive'}
      refusal={archive.refusal ?? verdict.refusal}
      isSending={archive.isSending}
      written={written}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label="Note"
        hint="For anyone who finds it later."
        rows={2}
        value={answers.note}
        onChange={(event) => change({ note: event.target.value })}
      />
      <TextField label="Tags" hint="Comma-separated." value={answers.tags} onChange={(event) => change({ tags: event.target.value })} />
      <ProposalNote isProposal={verdict.isProposal} sidebar={sidebar} />
    </CommandDialog>
  );
};

const WhatHappens = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const confirmed = standingFindings(sidebar.scratchpad).length;
  const pending = pendingFindings(sidebar.scratchpad).length;
  const conflicts = openConflicts(sidebar.scratchpad).length;
  const waiting = useBoard((board) => linked(board, 'waiting', sidebar.id).length, [sidebar.id]);
  return (
    <ul className="dialog-facts">
      <li>
        <Archive aria-hidden />
        <span>It becomes read-only. You can still read, find and cite it.</span>
      </li>
      {confirmed === 0 ? null : (
        <li>
          <CircleCheck aria-hidden />
          <span>{counted(confirmed, 'confirmed finding stays', 'confirmed findings stay')} citable.</span>
        </li>
      )}
      {pending === 0 ? null : (
        <li>
          <CircleDashed aria-hidden />
          <span>{counted(pending, 'finding stays', 'findings stay')} pending and can no longer be reviewed.</span>
        </li>
      )}
      {conflicts === 0 ? null : (
        <li>
          <TriangleAlert aria-hidden />
          <span>{counted(conflicts, 'conflict stays', 'conflicts stay')} open.</span>
        </li>
      )}
      {waiting === 0 ? null : (
        <li>
          <Play aria-hidden />
          <span>{counted(waiting, 'sidebar that waits for it resumes', 'sidebars that wait for it resume')}.</span>
        </li>
      )}
      <li>
        <GitFork aria-hidden />
        <span>Fork it to continue with everything it knew.</span>
      </li>
    </ul>
  );
};
