import { printableLine } from '@yarnboard/transcript';
import { FilterX } from 'lucide-react';
import { useState } from 'react';
import { useAsk } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Select, Switch, TextField } from '../../ui/field.tsx';
import { SpanFilter } from '../../shared/span-filter.tsx';
import { projectName } from '../../ui/wording.ts';
import { ToolChoice } from '../../shared/tool-choice.tsx';
import { hasFilters, STANDING_ONLY, type SearchFilters, type SearchWish } from './search-address.ts';

type FiltersProps = { readonly wish: SearchWish; readonly onChange: (filters: Partial<SearchFilters>) => void; readonly onClear: () => void };

/** Narrows a search; the URL holds all of it. */
export const Filters = ({ wish, onChange, onClear }: FiltersProps) => {
  const { data: projects } = useAsk('projects', { limit: 500 }, { staleMs: 60_000 });
  const { data: stats } = useAsk('stats', {}, { staleMs: 300_000 });
  return (
    <div className="search-filters" role="group" aria-label="Filters">
      <Choice
        label="Project"
        any="All projects"
        value={wish.project}
        choices={(projects?.items ?? []).flatMap(({ project }) => (project === null ? [] : [{ value: project, label: projectName(project) }]))}
        onChange={(project) => onChange({ project })}
      />
      <Choice label="Who" any="Anyone" value={wish.actor} choices={WHO} onChange={(actor) => onChange({ actor })} />
      <ToolChoice tool={wish.sessionTool} onChange={(sessionTool) => onChange({ sessionTool })} />
      <ToolField value={wish.tool} onChange={(tool) => onChange({ tool })} />
      <Choice
        label="Model"
        any="Any model"
        value={wish.model}
        choices={(stats?.byModel ?? []).map(({ key }) => ({ value: key, label: key }))}
        onChange={(model) => onChange({ model })}
      />
      <SpanFilter since={wish.since} until={wish.until} onChange={onChange} />
      <Switch label="Errors only" isOn={wish.error !== ''} onChange={(isOn) => onChange({ error: isOn ? '1' : '' })} />
      <Switch label={STANDING_ONLY.label} isOn={wish.standing !== ''} onChange={(isOn) => onChange({ standing: isOn ? '1' : '' })} />
      {(['session', 'agent'] as const).map((name) =>
        wish[name] === '' ? null : (
          <Button key={name} size="small" icon={FilterX} onClick={() => onChange({ [name]: '' })}>
            Only in {name === 'session' ? 'session' : 'sub-agent'} {printableLine(wish[name]).slice(0, 8)}
          </Button>
        ),
      )}
      {hasFilters(wish) ? (
        <Button variant="quiet" size="small" icon={FilterX} onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
};

type ChoiceProps = {
  readonly label: string;
  readonly any: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
};

const Choice = ({ label, any, value, choices, onChange }: ChoiceProps) => {
  // The URL may ask for a value that is not in the list, or not yet.
  const all = [
    { value: '', label: any },
    ...(value === '' || choices.some((one) => one.value === value) ? [] : [{ value, label: projectName(value) }]),
    ...choices,
  ];
  return <Select label={label} isLabelHidden choices={all} value={value} onChange={(event) => onChange(event.target.value)} />;
};

const ToolField = ({ value, onChange }: { readonly value: string; readonly onChange: (tool: string) => void }) => {
  const [{ text, of }, setTyped] = useState({ text: value, of: value });
  // Follows changes of the URL made elsewhere.
  if (of !== value) setTyped({ text: value, of: value });
  const commit = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <>
      <TextField
        label="Tool"
        isLabelHidden
        placeholder="Any tool"
        list="search-tools"
        maxLength={200}
        value={text}
        onChange={({ target }) => {
          setTyped({ text: target.value, of: value });
          if (TOOLS.includes(target.value)) onChange(target.value);
        }}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit();
        }}
      />
      <datalist id="search-tools">
        {TOOLS.map((tool) => (
          <option key={tool}>{tool}</option>
        ))}
      </datalist>
    </>
  );
};

const WHO = [
  { value: 'human', label: 'People' },
  { value: 'agent', label: 'Agents' },
  { value: 'system', label: 'Tools and system' },
];

const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'Grep', 'Glob', 'Task', 'Agent', 'WebFetch', 'WebSearch', 'TodoWrite', 'NotebookEdit'];
