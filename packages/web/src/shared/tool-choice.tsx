import { useAsk } from '../live/hooks.tsx';
import { Select } from '../ui/field.tsx';
import { toolName } from './tools.ts';

type ToolChoiceProps = { readonly tool: string; readonly onChange: (tool: string) => void };

/** PAGE-221: filters a list by program; hidden if all sessions are of one. `tool` is empty for all. */
export const ToolChoice = ({ tool, onChange }: ToolChoiceProps) => {
  const { data } = useAsk('stats', {}, { staleMs: 60_000 });
  const known = (data?.byTool ?? []).map(({ key }) => key);
  // A tool named in the address can be deselected, even if it is unknown.
  const tools = tool === '' || known.includes(tool) ? known : [tool, ...known];
  if (tools.length < 2 && tool === '') return null;
  return (
    <Select
      label="Coding agent"
      isLabelHidden
      choices={[{ value: '', label: 'All coding agents' }, ...tools.map((value) => ({ value, label: toolName(value) }))]}
      value={tool}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};
