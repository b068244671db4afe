import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { KeysContext } from '../shared/keys-context.ts';
import { DialogBoundary } from './boundary.tsx';

const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }));

/** PAGE-620: `?` shows all keyboard shortcuts, unless you are typing. */
export const WithKeys = ({ children }: { readonly children: ReactNode }) => {
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isTaken = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;
      if (event.key !== '?' || isTaken || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      setIsOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <KeysContext value={open}>
      {children}
      {isOpen ? (
        <DialogBoundary title="Keyboard shortcuts" onClose={close}>
          <Suspense fallback={null}>
            <KeysDialog onClose={close} />
          </Suspense>
        </DialogBoundary>
      ) : null}
    </KeysContext>
  );
};
