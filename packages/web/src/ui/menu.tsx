import { printableLine } from '@yarnboard/transcript';
import type { LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import './menu.css';

export type MenuItem =
  | {
      readonly kind?: 'action';
      readonly label: string;
      readonly icon?: LucideIcon;
      readonly hint?: string;
      readonly isDangerous?: boolean;
      readonly isDisabled?: boolean;
      readonly onSelect: () => void;
    }
  | { readonly kind: 'line' };

/** A menu behind a button, which is given as the only child. */
export const Menu = ({
  items,
  children,
  align = 'end',
}: {
  readonly items: readonly MenuItem[];
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{children}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
        {items.map((item, n) => {
          // A menu isn't reordered while it is open.
          // oxlint-disable-next-line react/no-array-index-key
          if (item.kind === 'line') return <Radix.Separator key={n} className="menu-line" />;
          const { label, icon: Icon, hint, isDangerous = false, isDisabled = false, onSelect } = item;
          return (
            <Radix.Item key={label} className={`menu-item${isDangerous ? ' menu-item-danger' : ''}`} disabled={isDisabled} onSelect={onSelect}>
              {Icon === undefined ? null : <Icon aria-hidden />}
              <span>{printableLine(label)}</span>
              {hint === undefined ? null : <span className="menu-hint">{hint}</span>}
            </Radix.Item>
          );
        })}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
