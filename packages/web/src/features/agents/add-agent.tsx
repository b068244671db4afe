import { useState, type FormEvent } from 'react';
import { useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Segmented } from '../../ui/segmented.tsx';
import type { RuntimeView } from './agent-work.tsx';
import { TokenOnce } from './token-once.tsx';

const KINDS = [
  { value: 'agent', label: 'Agent' },
  { value: 'human', label: 'Person' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

/** PAGE-59: creates an agent with a name, a token and a runtime. Shows the token once, with what to do with it. */
export const AddAgent = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState('');
  const [specialties, setSpecialties] = useState('');
  const [kind, setKind] = useState<Kind>('agent');
  const [runtime, setRuntime] = useState('');
  const [added, setAdded] = useState<{ readonly agentId: string; readonly token: string; readonly notes: readonly string[] } | null>(null);
  const runtimes = useAsk('runtimes', {}, { staleMs: 60_000 }).data?.items ?? [];
  const { send, isSending, refusal } = useCommand('agent_register');
  const askAgain = useAskAgain();
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const isActing = kind === 'agent' && runtime !== '';
    const outcome = await send({ agentId: name.trim(), kind, specialties: wordsOf(specialties), ...(isActing ? { runtime } : {}) });
    if (outcome.kind !== 'done') return;
    const { agentId, token, warnings } = outcome.result;
    setAdded({ agentId, token, notes: isActing ? [`It acts on its own on ${runtime}. It doesn’t need this token.`, ...warnings] : warnings });
    askAgain('agents', 'load', 'runtimes');
  };
  if (added !== null) return <TokenOnce {...added} kind={kind} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add an agent"
      description="The agent gets its own token. Everything it does is logged under its name."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="add-agent" isBusy={isSending}>
            Add
          </Button>
        </>
      }
    >
      <form id="add-agent" ref={focusFirst} className="agent-form" onSubmit={(event) => void add(event)}>
        <TextField
          label="Name"
          hint="Letters, digits, _ . and -, such as security_001"
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={refusal ?? undefined}
          required
          maxLength={200}
          autoComplete="off"
        />
        <Segmented label="Type" segments={KINDS} value={kind} onChange={setKind} />
        <TextField
          label="Skills"
          hint="Comma-separated; shown when recruiting."
          value={specialties}
          onChange={({ target }) => setSpecialties(target.value)}
          autoComplete="off"
        />
        {kind === 'human' || runtimes.length === 0 ? null : (
          <Select
            label="Runtime"
            hint="Makes the agent act on its own in every sidebar it joins."
            value={runtime}
            onChange={({ target }) => setRuntime(target.value)}
            choices={[{ value: '', label: 'None – I’ll connect it myself' }, ...runtimes.map((one) => ({ value: one.name, label: labelOf(one) }))]}
          />
        )}
      </form>
    </Dialog>
  );
};

const labelOf = ({ name, kind, model }: RuntimeView): string => `${name} (${model === null ? kind : `${kind}, ${model}`})`;

const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
];
