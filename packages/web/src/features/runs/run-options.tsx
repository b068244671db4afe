import { printableLine } from '@yarnboard/transcript';
import { ShieldOff } from 'lucide-react';
import { useId } from 'react';
import { Select, TextField } from '../../ui/field.tsx';
import { turnsIn, type RunOptionsDraft } from './run-input.ts';
import { MODES } from './run-words.ts';

export type RunOptionsProps = { readonly options: RunOptionsDraft; readonly onChange: (options: RunOptionsDraft) => void };

/** The model, what it may do without asking, and its turn limit. */
export const RunOptions = ({ options, onChange }: RunOptionsProps) => {
  const models = useId();
  const { model, mode, turns } = options;
  return (
    <div className="run-options">
      <TextField
        label="Model"
        placeholder="default"
        list={models}
        autoComplete="off"
        value={model}
        onChange={({ target }) => onChange({ ...options, model: target.value })}
      />
      <datalist id={models}>
        {MODELS.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <Select label="Permissions" choices={MODES} value={mode} onChange={({ target }) => onChange({ ...options, mode: target.value })} />
      <TextField
        label="Turn limit"
        placeholder="no limit"
        inputMode="numeric"
        value={turns}
        {...(turns.trim() === '' || turnsIn(turns) !== null ? {} : { error: 'Enter a whole number, 1 or more.' })}
        onChange={({ target }) => onChange({ ...options, turns: target.value })}
      />
    </div>
  );
};

type UnaskedConfirmProps = { readonly directory: string; readonly isSure: boolean; readonly onSure: (isSure: boolean) => void };

/** PAGE-410: you confirm this each time; it is never remembered. */
export const UnaskedConfirm = ({ directory, isSure, onSure }: UnaskedConfirmProps) => (
  <label className="unasked-confirm">
    <ShieldOff aria-hidden />
    <input type="checkbox" checked={isSure} onChange={({ target }) => onSure(target.checked)} />
    <span>
      Claude may run any command and change any file on this machine without asking me, starting in{' '}
      <b>{directory.trim() === '' ? 'that directory' : printableLine(directory)}</b>.
    </span>
  </label>
);

const MODELS = ['opus', 'sonnet', 'haiku'] as const;
