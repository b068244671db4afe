import { printable } from '@yarnboard/transcript';
import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import './tooltip.css';

export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => <Radix.Provider delayDuration={400}>{children}</Radix.Provider>;

/** Says more about what it is put around, on hover and on focus. The child must take a ref, as elements do. */
export const Tooltip = ({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) => (
  <Radix.Root>
    <Radix.Trigger asChild>{children}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className="tooltip" sideOffset={6} collisionPadding={8}>
        {typeof text === 'string' ? printable(text) : text}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
