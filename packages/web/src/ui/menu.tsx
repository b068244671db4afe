import { printableLine } from '@yarnboard/transcript';
import type { LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { useId, type ReactNode } from 'react';
import './menu.css';

export type MenuItem =
  | {
      readonly kind?: 'action';
      readonly label: string;
      readonly icon?: LucideIcon;
      readonly hint?: string;
      /** What it does, below its name. */
      readonly says?: string;
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
}) => {
  const id = useId();
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {items.map((item, n) => {
            // What is in a menu is not reordered while it is open.
            // oxlint-disable-next-line react/no-array-index-key
            if (item.kind === 'line') return <Radix.Separator key={n} className="menu-line" />;
            const { label, icon: Icon, hint, says, isDangerous = false, isDisabled = false, onSelect } = item;
            return (
              <Radix.Item
                key={label}
                className={`menu-item${isDangerous ? ' menu-item-danger' : ''}`}
                disabled={isDisabled}
                onSelect={onSelect}
                {...(says === undefined ? {} : { 'aria-describedby': `${id}-${n}` })}
              >
                {Icon === undefined ? null : <Icon aria-hidden />}
                {says === undefined ? (
                  <span>{printableLine(label)}</span>
                ) : (
                  <span className="menu-words">
                    <span>{printableLine(label)}</span>
                    <span className="menu-says" id={`${id}-${n}`} aria-hidden>
                      {says}
                    </span>
                  </span>
                )}
                {hint === undefined ? null : <span className="menu-hint">{hint}</span>}
              </Radix.Item>
            );
          })}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};
