import type { Sidebar } from '@yarnboard/domain';
import { GitPullRequestArrow } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';
import { nameOf } from '../../shared/names.ts';

type ProposalNoteProps = { readonly isProposal: boolean; readonly sidebar: Sidebar };

/** PAGE-213: tells people who may only propose something, before they send it. */
export const ProposalNote = ({ isProposal, sidebar: { coordinator } }: ProposalNoteProps) =>
  isProposal ? (
    <Notice icon={GitPullRequestArrow}>
      <strong>{nameOf(coordinator)}</strong>, the coordinator, decides. You’ll be told the answer.
    </Notice>
  ) : null;
