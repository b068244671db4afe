import { isEnded, rightTo, wishOf, type Sidebar } from '@yarnboard/domain';
import { GitPullRequestArrow } from 'lucide-react';
import { useActor } from '../../live/hooks.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { withReferences } from '../../ui/reference.tsx';
import { nameOf } from '../../shared/names.ts';
import { ProposalAnswer } from '../../shared/proposal-answer.tsx';

/** PAGE-212: proposals to a sidebar's coordinator, with buttons for those who may answer them. */
export const SidebarProposals = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const actor = useActor();
  if (sidebar.proposals.length === 0 || isEnded(sidebar.status)) return null;
  const mayAnswer = actor !== null && rightTo('dismiss', sidebar, actor) === 'yes';
  return (
    <ul className="sidebar-proposals" aria-label="Open proposals">
      {sidebar.proposals.map(({ id, proposal, by, at }) => {
        const wish = wishOf(proposal, sidebar.ref);
        return (
          <li key={id}>
            <Notice icon={GitPullRequestArrow}>
              {by === actor?.id ? (
                <>
                  <strong>You proposed</strong> to {withReferences(wish)}
                </>
              ) : (
                <>
                  <strong>{nameOf(by)}</strong> wants to {withReferences(wish)}
                </>
              )}{' '}
              <span className="soft">
                (<Moment at={at} />)
              </span>
              {mayAnswer ? (
                <ProposalAnswer sidebarId={sidebar.id} proposalId={id} about={`${nameOf(by)} wants to ${wish}`} />
              ) : (
                <p className="soft">Waiting for {nameOf(sidebar.coordinator)} to answer.</p>
              )}
            </Notice>
          </li>
        );
      })}
    </ul>
  );
};
