import { OPERATOR } from '@yarnboard/domain';
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useActor } from '../live/hooks.tsx';
import { NewSessionContext } from '../shared/new-session-context.ts';
import { DialogBoundary } from './boundary.tsx';

const NewSessionDialog = lazy(async () => ({ default: (await import('../features/runs/new-session.tsx')).NewSessionDialog }));

/** PAGE-412: starts a new session from any view: with a button, from the palette, or with `g n`. */
export const WithNewSession = ({ children }: { readonly children: ReactNode }) => {
  const isOperator = useActor()?.id === OPERATOR.id;
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  useEffect(() => {
    if (!isOperator) return undefined;
    let began = 0;
    const listen = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'n' && event.timeStamp - began < CHORD_MS) {
        event.preventDefault();
        setIsOpen(true);
      }
      began = event.key === 'g' ? event.timeStamp : 0;
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isOperator]);
  return (
    <NewSessionContext value={isOperator ? open : null}>
      {children}
      {isOpen ? (
        <DialogBoundary title="New session" onClose={close}>
          <Suspense fallback={null}>
            <NewSessionDialog onClose={close} />
          </Suspense>
        </DialogBoundary>
      ) : null}
    </NewSessionContext>
  );
};

/** The longest pause between the two keys. */
const CHORD_MS = 1500;
