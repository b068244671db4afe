import { OPERATOR, PRIORITIES, type Priority } from '@yarnboard/domain';
import { useActor } from '../../live/hooks.tsx';
import { Select, Switch, TextField } from '../../ui/field.tsx';
import { nameOf } from '../../shared/names.ts';
import './new-sidebar.css';
import { PeopleChoice } from './people-choice.tsx';
import { usePeople } from '../../shared/people.tsx';

/** The settings of a new sidebar besides its task. */
export type Setup = {
  readonly participants: readonly string[];
  readonly priority: Priority;
  readonly coordinator: string;
  readonly curator: string;
  readonly taskType: string;
  readonly tags: string;
  readonly isTest: boolean;
  readonly testGroup: string;
  readonly isOpen: boolean;
};

export const NEW_SETUP: Setup = {
  participants: [],
  priority: 'NORMAL',
  coordinator: '',
  curator: '',
  taskType: '',
  tags: '',
  isTest: false,
  testGroup: '',
  isOpen: false,
};

export const OPEN_HINT = 'Otherwise the coordinator is asked first.';

export const tagsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];

/** Leaves out empty fields, so that the server's defaults apply. */
export const setupInput = ({ participants, priority, coordinator, curator, taskType, tags, isTest, testGroup, isOpen }: Setup) => ({
  ...(participants.length === 0 ? {} : { participants }),
  ...(priority === 'NORMAL' ? {} : { priority }),
  ...(coordinator === '' ? {} : { coordinatorAgent: coordinator }),
  ...(curator === '' ? {} : { curatorAgent: curator }),
  ...(taskType.trim() === '' ? {} : { taskType: taskType.trim() }),
  ...(tagsIn(tags).length === 0 ? {} : { tags: tagsIn(tags) }),
  ...(isOpen ? { open: true } : {}),
  ...(isTest ? { testing: true } : {}),
  ...(isTest && testGroup.trim() !== '' ? { testGroup: testGroup.trim() } : {}),
});

export const priorityWord = (priority: Priority): string => `${priority.charAt(0)}${priority.slice(1).toLowerCase()}`;

export const PRIORITY_CHOICES = PRIORITIES.map((value) => ({ value, label: priorityWord(value) }));

/** The participants and the other settings of a new sidebar. */
export const SetupFields = ({ setup, onChange }: { readonly setup: Setup; readonly onChange: (change: Partial<Setup>) => void }) => {
  const people = usePeople();
  const actor = useActor();
  const others = people.filter(({ id }) => id !== OPERATOR.id).map(({ id }) => ({ value: id, label: nameOf(id) }));
  return (
    <>
      <PeopleChoice
        label="Participants"
        hint="You’re always included."
        people={people.filter(({ id }) => id !== actor?.id)}
        chosen={setup.participants}
        onChange={(participants) => onChange({ participants })}
      />
      <div className="new-sidebar-pair">
        <Select
          label="Priority"
          choices={PRIORITY_CHOICES}
          value={setup.priority}
          onChange={(event) => onChange({ priority: PRIORITIES.find((one) => one === event.target.value) ?? 'NORMAL' })}
        />
        <TextField
          label="Task type"
          placeholder="debugging, research …"
          value={setup.taskType}
          onChange={(event) => onChange({ taskType: event.target.value })}
        />
      </div>
      <details className="new-sidebar-more">
        <summary>Coordinator, curator, access, tags, test</summary>
        <div className="new-sidebar-pair">
          <Select
            label="Coordinator"
            hint="Approves the merge."
            choices={[{ value: '', label: 'operator' }, ...others]}
            value={setup.coordinator}
            onChange={(event) => onChange({ coordinator: event.target.value })}
          />
          <Select
            label="Curator"
            hint="Reviews findings."
            choices={[{ value: '', label: 'Coordinator' }, { value: OPERATOR.id, label: 'operator' }, ...others]}
            value={setup.curator}
            onChange={(event) => onChange({ curator: event.target.value })}
          />
        </div>
        <Switch label="Anyone can join" hint={OPEN_HINT} isOn={setup.isOpen} onChange={(isOpen) => onChange({ isOpen })} />
        <TextField label="Tags" hint="Comma-separated." value={setup.tags} onChange={(event) => onChange({ tags: event.target.value })} />
        <Switch
          label="Test"
          hint="An experiment you can discard. The coordinator can promote it to real work."
          isOn={setup.isTest}
          onChange={(isTest) => onChange({ isTest })}
        />
        {setup.isTest ? (
          <TextField
            label="Test group"
            hint="Tests in a group see each other’s results."
            value={setup.testGroup}
            onChange={(event) => onChange({ testGroup: event.target.value })}
          />
        ) : null}
      </details>
    </>
  );
};
