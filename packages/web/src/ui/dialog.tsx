import { printable, printableLine } from '@yarnboard/transcript';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import './dialog.css';
import { focusAgain, placeOfFocus } from './kept-focus.ts';

export type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Its purpose, in one sentence. */
  readonly description?: ReactNode;
  readonly size?: 'normal' | 'wide' | 'full';
  readonly children: ReactNode;
  /** Buttons, the primary one last. */
  readonly actions?: ReactNode;
  /** Shows something only once: only its own buttons close it, not Escape or a click outside. */
  readonly isFirm?: boolean;
};

export const Dialog = ({ isOpen, onClose, title, description, size = 'normal', children, actions, isFirm = false }: DialogProps) => {
  const before = useRef<readonly Element[]>([]);
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-veil" />
        <Radix.Content
          className={`dialog dialog-${size}`}
          // Focus the first required field, otherwise the dialog itself: focusing the close button would open its tooltip.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            before.current = placeOfFocus();
            if (!(event.currentTarget instanceof HTMLElement)) return;
            const field = event.currentTarget.querySelector<HTMLElement>('.dialog-body :is(input, textarea)[required]');
            (field ?? event.currentTarget).focus();
          }}
          // Radix returns the focus to a trigger, and there is none; a focus that moved elsewhere stays there.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) focusAgain(before.current);
          }}
          onEscapeKeyDown={(event) => (isFirm ? event.preventDefault() : undefined)}
          onInteractOutside={(event) => (isFirm ? event.preventDefault() : undefined)}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="dialog-head">
            <Radix.Title className="dialog-title">{printableLine(title)}</Radix.Title>
            {isFirm ? null : (
              <Radix.Close asChild>
                <IconButton icon={X} label="Close" size="small" />
              </Radix.Close>
            )}
          </header>
          {description === undefined ? null : (
            <Radix.Description className="dialog-description">
              {typeof description === 'string' ? printable(description) : description}
            </Radix.Description>
          )}
          <div className="dialog-body">{children}</div>
          {actions === undefined ? null : <footer className="dialog-actions">{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};
