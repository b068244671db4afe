import { useState, type FormEvent } from 'react';
import { useAskAgain, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { focusFirst } from '../../ui/first-focus.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { TokenOnce } from './token-once.tsx';

const KINDS = [
  { value: 'agent', label: 'Agent' },
  { value: 'human', label: 'Person' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

/** PAGE-59: a name and a token; the token is shown once, with what to do with it. */
export const AddAgent = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState('');
  const [specialties, setSpecialties] = useState('');
  const [kind, setKind] = useState<Kind>('agent');
  const [added, setAdded] = useState<{ readonly agentId: string; readonly token: string } | null>(null);
  const { send, isSending, refusal } = useCommand('agent_register');
  const askAgain = useAskAgain();
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const outcome = await send({ agentId: name.trim(), kind, specialties: wordsOf(specialties) });
    if (outcome.kind !== 'done') return;
    setAdded({ agentId: outcome.result.agentId, token: outcome.result.token });
    askAgain('agents');
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
      </form>
    </Dialog>
  );
};

const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
];
