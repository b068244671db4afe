import { agentIdOf, isEnded, rightTo, rowsOf, type Sidebar } from '@yarnboard/domain';
import { LogOut, UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useActor, useBoard, useCommand } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { counted } from '../../ui/wording.ts';
import { RecruitDialog } from '../agents/recruit-dialog.tsx';
import { SidebarSeats } from '../agents/sidebar-seats.tsx';
import { DetailsSection } from './details-section.tsx';
import { nameOf } from '../../shared/names.ts';
import { Person, usePeople } from '../../shared/people.tsx';
import { Refusal } from '../../shared/refusal.tsx';

/** Who takes part, who coordinates and curates, and who could be recruited. */
export const SidebarTeam = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const actor = useActor();
  const recruit = useCommand('agent_recruited');
  const leave = useCommand('agent_left');
  const people = usePeople();
  const [recruiting, setRecruiting] = useState<{ readonly agent?: string } | null>(null);
  const { id, participants, coordinator, curator, status } = sidebar;
  const canAct = actor !== null && !isEnded(status);
  const isIn = actor !== null && participants.includes(actor.id);
  const others = people.filter((agent) => !participants.includes(agent.id) && agent.id !== actor?.id);
  const maySendAway = actor !== null && rightTo('dismiss', sidebar, actor) === 'yes';
  const isAsked = sidebar.proposals.some(({ by, proposal }) => by === actor?.id && proposal.action === 'join');
  const bring = (agent: string): void =>
    void recruit.send(
      { sidebarId: id, ...(agent === actor?.id ? {} : { agentId: agent }) },
      { proposal: { type: 'agent.recruit', sidebar: id, agent: agentIdOf(agent) } },
    );
  const part = (agent: string): void =>
    void leave.send({ sidebarId: id, ...(agent === actor?.id ? {} : { agentId: agent }) }, { proposal: { type: 'agent.leave', sidebar: id, agent } });
  return (
    <DetailsSection
      title="Participants"
      action={
        canAct ? (
          <span className="details-deeds">
            {isIn || isAsked ? null : (
              <Button size="small" icon={UserPlus} onClick={() => bring(actor.id)}>
                {rightTo('join', sidebar, actor) === 'ask' ? 'Ask to join' : 'Join'}
              </Button>
            )}
            {others.length === 0 || rightTo('recruit', sidebar, actor) !== 'yes' ? null : (
              <Button size="small" icon={UserPlus} onClick={() => setRecruiting({})}>
                Recruit
              </Button>
            )}
          </span>
        ) : null
      }
    >
      <ul className="details-people">
        {[...new Set([...participants, coordinator, curator])].map((agent) => (
          <li key={agent} className="details-person">
            <Person id={agent} />
            <span className="details-roles">
              {agent === coordinator ? <Badge title="Approves the merge">coordinator</Badge> : null}
              {agent === curator ? <Badge title="Reviews findings">curator</Badge> : null}
              <Load agent={agent} />
            </span>
            {canAct && participants.includes(agent) && (agent === actor.id || maySendAway) ? (
              <IconButton
                icon={agent === actor.id ? LogOut : UserMinus}
                label={agent === actor.id ? `Leave ${sidebar.ref}` : `Remove ${nameOf(agent)}`}
                size="small"
                onClick={() => part(agent)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      <SidebarSeats sidebar={sidebar} onRecruit={(agent) => setRecruiting({ agent })} />
      <Refusal text={recruit.refusal ?? leave.refusal} />
      {recruiting === null ? null : <RecruitDialog sidebar={sidebar} agent={recruiting.agent} onClose={() => setRecruiting(null)} />}
    </DetailsSection>
  );
};

/** The number of open sidebars somebody takes part in, as far as this client knows them. */
const Load = ({ agent }: { readonly agent: string }) => {
  const load = useBoard(
    (board) => rowsOf(board.sidebars).filter(({ status, participants }) => !isEnded(status) && participants.includes(agent)).length,
    [agent],
  );
  return load < 2 ? null : (
    <span className="tiny faint numbers" title={`Active in ${counted(load, 'sidebar')}`}>
      in {counted(load, 'sidebar')}
    </span>
  );
};
