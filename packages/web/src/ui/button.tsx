import { printableLine } from '@yarnboard/transcript';
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import './button.css';
import { Tooltip } from './tooltip.tsx';

type Look = { readonly variant?: 'primary' | 'plain' | 'quiet' | 'danger'; readonly size?: 'small' | 'normal' };

export type ButtonProps = Omit<ComponentProps<'button'>, 'className'> &
  Look & { readonly icon?: LucideIcon; readonly isBusy?: boolean; readonly children: ReactNode };

export const Button = ({ variant = 'plain', size = 'normal', icon: Icon, isBusy = false, children, type = 'button', ...rest }: ButtonProps) => (
  // Not `disabled` while busy: it would lose the focus.
  <button
    {...rest}
    type={type}
    className={`button button-${variant} button-${size}`}
    aria-busy={isBusy || undefined}
    onClick={isBusy ? undefined : rest.onClick}
  >
    {isBusy ? <LoaderCircle className="button-spin" aria-hidden /> : Icon === undefined ? null : <Icon aria-hidden />}
    <span>{children}</span>
  </button>
);

export type IconButtonProps = Omit<ComponentProps<'button'>, 'className' | 'children' | 'aria-label'> &
  Look & { readonly icon: LucideIcon; readonly label: string; readonly isPressed?: boolean };

/** A button with only an icon; its name is also its tooltip. */
export const IconButton = ({ variant = 'quiet', size = 'normal', icon: Icon, label, isPressed, type = 'button', ...rest }: IconButtonProps) => (
  <Tooltip text={label}>
    <button
      {...rest}
      type={type}
      className={`button button-${variant} button-${size} button-icon`}
      aria-label={printableLine(label)}
      aria-pressed={isPressed}
    >
      <Icon aria-hidden />
    </button>
  </Tooltip>
);
