import { printableLine } from '@yarnboard/transcript';
import { Check, ChevronDown, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import './menu.css';

export type CheckChoice<V extends string> = { readonly value: V; readonly label: string; readonly hint?: string };

/** A multiple choice behind a button that shows the count. None chosen means all. */
export const CheckMenu = <V extends string>({
  label,
  icon: Icon,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  /** Replaces the label where space is tight. */
  readonly icon?: LucideIcon;
  readonly choices: readonly CheckChoice<V>[];
  readonly value: readonly V[];
  readonly onChange: (value: readonly V[]) => void;
}) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>
      <button type="button" className="button button-plain button-normal" disabled={choices.length === 0}>
        {Icon === undefined ? null : <Icon className="menu-opener-icon" aria-hidden />}
        <span className={Icon === undefined ? undefined : 'menu-opener-words'}>{value.length === 0 ? label : `${label}: ${value.length}`}</span>
        <ChevronDown aria-hidden />
      </button>
    </Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
        {choices.map((choice) => (
          <Radix.CheckboxItem
            key={choice.value}
            className="menu-item"
            checked={value.includes(choice.value)}
            onCheckedChange={(isOn) => onChange(isOn ? [...value, choice.value] : value.filter((one) => one !== choice.value))}
            onSelect={(event) => event.preventDefault()}
          >
            <span className="menu-check">
              <Radix.ItemIndicator>
                <Check aria-hidden />
              </Radix.ItemIndicator>
            </span>
            <span>{printableLine(choice.label)}</span>
            {choice.hint === undefined ? null : <span className="menu-hint">{choice.hint}</span>}
          </Radix.CheckboxItem>
        ))}
        {value.length === 0 ? null : (
          <>
            <Radix.Separator className="menu-line" />
            <Radix.Item className="menu-item" onSelect={() => onChange([])}>
              <span className="menu-check" />
              <span>Show all</span>
            </Radix.Item>
          </>
        )}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
