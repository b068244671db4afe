import { printableLine } from '@yarnboard/transcript';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { Switch as RadixSwitch } from 'radix-ui';
import './field.css';

type Labelled = { readonly label: string; readonly hint?: ReactNode; readonly error?: string | undefined; readonly isLabelHidden?: boolean };

const Frame = ({ id, label, hint, error, isLabelHidden = false, children }: Labelled & { readonly id: string; readonly children: ReactNode }) => (
  <div className="field">
    <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : 'field-label'}>
      {label}
    </label>
    {children}
    {hint === undefined ? null : (
      <p id={`${id}-hint`} className="field-hint">
        {hint}
      </p>
    )}
    {error === undefined ? null : (
      <p id={`${id}-error`} className="field-error" role="alert">
        {error}
      </p>
    )}
  </div>
);

const described = (id: string, { hint, error }: Labelled): { readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: true } => {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  return { ...(ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') }), ...(error === undefined ? {} : { 'aria-invalid': true as const }) };
};

export const TextField = ({ label, hint, error, isLabelHidden, ...rest }: Labelled & Omit<ComponentProps<'input'>, 'className' | 'id'>) => {
  const id = useId();
  const labelled = { label, hint, error, ...(isLabelHidden === undefined ? {} : { isLabelHidden }) };
  return (
    <Frame id={id} {...labelled}>
      <input {...rest} {...described(id, labelled)} id={id} className="field-input" />
    </Frame>
  );
};

export const TextArea = ({ label, hint, error, isLabelHidden, ...rest }: Labelled & Omit<ComponentProps<'textarea'>, 'className' | 'id'>) => {
  const id = useId();
  const labelled = { label, hint, error, ...(isLabelHidden === undefined ? {} : { isLabelHidden }) };
  return (
    <Frame id={id} {...labelled}>
      <textarea rows={3} {...rest} {...described(id, labelled)} id={id} className="field-input field-area" />
    </Frame>
  );
};

export type Choice = { readonly value: string; readonly label: string };

export const Select = ({
  label,
  hint,
  error,
  isLabelHidden,
  choices,
  ...rest
}: Labelled & { readonly choices: readonly Choice[] } & Omit<ComponentProps<'select'>, 'className' | 'id' | 'children'>) => {
  const id = useId();
  const labelled = { label, hint, error, ...(isLabelHidden === undefined ? {} : { isLabelHidden }) };
  return (
    <Frame id={id} {...labelled}>
      <select {...rest} {...described(id, labelled)} id={id} className="field-input field-select">
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {printableLine(label)}
          </option>
        ))}
      </select>
    </Frame>
  );
};

export const Switch = ({
  label,
  hint,
  isOn,
  onChange,
  isDisabled = false,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
}) => {
  const id = useId();
  return (
    <div className="field-switch-row">
      <RadixSwitch.Root id={id} className="field-switch" checked={isOn} onCheckedChange={onChange} disabled={isDisabled}>
        <RadixSwitch.Thumb className="field-thumb" />
      </RadixSwitch.Root>
      <div>
        <label htmlFor={id} className="field-label">
          {label}
        </label>
        {hint === undefined ? null : <p className="field-hint">{hint}</p>}
      </div>
    </div>
  );
};
