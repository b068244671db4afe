import type { Sidebar } from '@yarnboard/domain';
import { X } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { useKeptFocus } from '../../ui/kept-focus.ts';
import { Select, Switch, TextField } from '../../ui/field.tsx';
import { COLUMNS, forksIn, NO_FILTER, priorityIn, statusIn, taskTypesOf, workersIn, type BoardFilter } from './board-groups.ts';
import { PRIORITY_CHOICES } from './new-sidebar.tsx';
import { nameOf } from '../../shared/names.ts';
import { STATUS_LOOKS } from '../../shared/status-badge.tsx';

export type BoardFiltersProps = {
  readonly filter: BoardFilter;
  readonly onChange: (change: Partial<BoardFilter>) => void;
  readonly sidebars: readonly Sidebar[];
  /** False for read-only viewers: they have no sidebars of their own. */
  readonly canBeMine: boolean;
};

export const BoardFilters = ({ filter, onChange, sidebars, canBeMine }: BoardFiltersProps) => {
  const workers = useMemo(() => workersIn(sidebars), [sidebars]);
  const types = useMemo(() => taskTypesOf(sidebars), [sidebars]);
  const filters = useKeptFocus();
  const { text, status, participant, taskType, priority, forks, isMine } = filter;
  const isFiltered = isMine || [text, status, participant, taskType, priority, forks].some((one) => one !== '');
  const hasForks = useMemo(() => sidebars.some(({ forkedFrom }) => forkedFrom !== null), [sidebars]);
  return (
    <div ref={filters} className="board-filters" role="search" aria-label="Filter sidebars">
      <TextField
        label="Filter sidebars by text"
        isLabelHidden
        type="search"
        placeholder="Filter by task, tag or SB-n"
        value={filter.text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <Select
        label="Status"
        isLabelHidden
        choices={[{ value: '', label: 'Any status' }, ...COLUMNS.map((status) => ({ value: status, label: STATUS_LOOKS[status].word }))]}
        value={filter.status}
        onChange={(event) => onChange({ status: statusIn(event.target.value) })}
      />
      <Select
        label="Participant"
        isLabelHidden
        choices={[{ value: '', label: 'Anyone' }, ...workers.map((id) => ({ value: id, label: nameOf(id) }))]}
        value={filter.participant}
        onChange={(event) => onChange({ participant: event.target.value })}
      />
      {types.length === 0 && filter.taskType === '' ? null : (
        <Select
          label="Task type"
          isLabelHidden
          choices={[{ value: '', label: 'Any type' }, ...types.map((type) => ({ value: type, label: type }))]}
          value={filter.taskType}
          onChange={(event) => onChange({ taskType: event.target.value })}
        />
      )}
      <Select
        label="Priority"
        isLabelHidden
        choices={[{ value: '', label: 'Any priority' }, ...PRIORITY_CHOICES]}
        value={priority}
        onChange={(event) => onChange({ priority: priorityIn(event.target.value) })}
      />
      {hasForks || forks !== '' ? (
        <Select
          label="Forks"
          isLabelHidden
          choices={[
            { value: '', label: 'With forks' },
            { value: 'only', label: 'Only forks' },
            { value: 'none', label: 'No forks' },
          ]}
          value={forks}
          onChange={(event) => onChange({ forks: forksIn(event.target.value) })}
        />
      ) : null}
      {canBeMine ? <Switch label="Mine" isOn={filter.isMine} onChange={(isMine) => onChange({ isMine })} /> : null}
      {isFiltered ? (
        <Button variant="quiet" size="small" icon={X} onClick={() => onChange(NO_FILTER)}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
};
