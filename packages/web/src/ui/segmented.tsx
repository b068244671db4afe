import type { LucideIcon } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import './segmented.css';

export type Segment<V extends string> = { readonly value: V; readonly label: string; readonly icon?: LucideIcon };

/** A choice among a few options, all visible at once. */
export const Segmented = <V extends string>({
  label,
  isLabelHidden = false,
  segments,
  value,
  onChange,
}: {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly segments: readonly Segment<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}) => {
  const id = useId();
  return (
    <div className="segmented-field">
      <span id={id} className={isLabelHidden ? 'visually-hidden' : 'field-label'}>
        {label}
      </span>
      <RadioGroup.Root
        className="segmented"
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => {
          const chosen = segments.find((one) => one.value === next);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {segments.map(({ value: one, label: name, icon: Icon }) => (
          <RadioGroup.Item key={one} value={one} className="segmented-item">
            {Icon === undefined ? null : <Icon aria-hidden />}
            {name}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
};
