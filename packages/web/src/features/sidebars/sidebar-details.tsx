import { isEnded, OPERATOR, PRIORITIES, rightTo, type Sidebar } from '@yarnboard/domain';
import { Pencil, Siren } from 'lucide-react';
import { useState } from 'react';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Moment } from '../../ui/moment.tsx';
import { countOf } from '../../ui/wording.ts';
import { DetailsSection } from './details-section.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { nameOf } from '../../shared/names.ts';
import { PRIORITY_CHOICES, priorityWord } from './new-sidebar.tsx';
import { EscalateDialog } from './reason-dialog.tsx';
import { Refusal } from '../../shared/refusal.tsx';
import { Fact, SidebarRelatives } from './sidebar-relatives.tsx';
import { SidebarTeam } from './sidebar-team.tsx';
import { TestResults } from './test-results.tsx';

/** Everything known about a sidebar besides its conversation. */
export const SidebarDetails = ({ sidebar }: { readonly sidebar: Sidebar }) => {
  const actor = useActor();
  const [open, setOpen] = useState<'edit' | 'escalate' | null>(null);
  const canAct = actor !== null && !isEnded(sidebar.status);
  const { task, successCriteria, taskType, tags, createdBy, createdAt, lastActivity, messages, interventions } = sidebar;
  return (
    <div className="sidebar-details">
      <DetailsSection
        title="Task"
        action={canAct ? <IconButton icon={Pencil} label="Edit sidebar" size="small" onClick={() => setOpen('edit')} /> : null}
      >
        <div className="details-words">
          <Markdown text={task} />
        </div>
        {successCriteria === null ? null : (
          <div className="details-words">
            <h3 className="details-small">Done when</h3>
            <Markdown text={successCriteria} />
          </div>
        )}
      </DetailsSection>
      <SidebarTeam sidebar={sidebar} />
      <SidebarRelatives sidebar={sidebar} />
      <TestResults sidebar={sidebar} />
      <DetailsSection title="About">
        <PriorityChoice sidebar={sidebar} canAct={canAct} />
        <dl className="details-facts">
          {taskType === null ? null : <Fact name="Task type">{taskType}</Fact>}
          <Fact name="Created">
            by {nameOf(createdBy)}, <Moment at={createdAt} />
          </Fact>
          <Fact name="Joining">{sidebar.isOpen ? 'Anyone can join' : `${nameOf(sidebar.coordinator)} is asked first`}</Fact>
          <Fact name="Last activity">
            <Moment at={lastActivity} />
          </Fact>
          <Fact name="Messages">{countOf(messages)}</Fact>
          {interventions === 0 ? null : <Fact name="Interventions">{countOf(interventions)}</Fact>}
          {tags.length === 0 ? null : (
            <Fact name="Tags">
              <span className="details-refs">
                {tags.map((tag) => (
                  <Badge key={tag}>{tag}</Badge>
                ))}
              </span>
            </Fact>
          )}
        </dl>
        {canAct && actor.id !== OPERATOR.id && sidebar.escalation === null ? (
          <Button size="small" icon={Siren} onClick={() => setOpen('escalate')}>
            Escalate
          </Button>
        ) : null}
      </DetailsSection>
      {open === 'edit' ? <EditDialog sidebar={sidebar} onClose={() => setOpen(null)} /> : null}
      {open === 'escalate' ? <EscalateDialog sidebar={sidebar} onClose={() => setOpen(null)} /> : null}
    </div>
  );
};

const PriorityChoice = ({ sidebar, canAct }: { readonly sidebar: Sidebar; readonly canAct: boolean }) => {
  const update = useCommand('sidebar_update');
  const actor = useActor();
  if (!canAct || actor === null) {
    return (
      <dl className="details-facts">
        <Fact name="Priority">{priorityWord(sidebar.priority)}</Fact>
      </dl>
    );
  }
  return (
    <>
      <Select
        label="Priority"
        {...(rightTo('reprioritise', sidebar, actor) === 'ask' ? { hint: `${nameOf(sidebar.coordinator)} decides about changes.` } : {})}
        choices={PRIORITY_CHOICES}
        value={sidebar.priority}
        onChange={(event) => {
          const priority = PRIORITIES.find((one) => one === event.target.value) ?? 'NORMAL';
          void update.send({ sidebarId: sidebar.id, priority }, { proposal: { type: 'sidebar.change', sidebar: sidebar.id, priority } });
        }}
      />
      <Refusal text={update.refusal} />
    </>
  );
};
