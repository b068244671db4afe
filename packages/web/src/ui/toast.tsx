import { printable, printableLine } from '@yarnboard/transcript';
import { X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import './toast.css';

export type ToastNews = { readonly tone: 'good' | 'bad' | 'info'; readonly title: string; readonly text?: string };
type Shown = ToastNews & { readonly id: number };

const Context = createContext<(news: ToastNews) => void>(() => {});

/** Tells something in passing: what became of an action. What must not be missed stands in the page as well. */
export const useToast = (): ((news: ToastNews) => void) => useContext(Context);

export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const [{ shown }, setShown] = useState<{ readonly shown: readonly Shown[]; readonly next: number }>({ shown: [], next: 1 });
  const tell = useCallback((news: ToastNews) => {
    setShown(({ shown, next }) => ({ shown: [...shown.slice(-(MOST_SHOWN - 1)), { ...news, id: next }], next: next + 1 }));
  }, []);
  const drop = useCallback((id: number) => setShown(({ shown, next }) => ({ shown: shown.filter((one) => one.id !== id), next })), []);
  const list = useMemo(
    () =>
      shown.map(({ id, tone, title, text }) => (
        <Radix.Root
          key={id}
          className={`toast toast-${tone}`}
          type={tone === 'bad' ? 'foreground' : 'background'}
          duration={tone === 'bad' ? 12_000 : 5000}
          onOpenChange={(open) => (open ? undefined : drop(id))}
        >
          <div>
            <Radix.Title className="toast-title">{printableLine(title)}</Radix.Title>
            {text === undefined ? null : <Radix.Description className="toast-text">{printable(text)}</Radix.Description>}
          </div>
          <Radix.Close asChild>
            <IconButton icon={X} label="Dismiss" size="small" />
          </Radix.Close>
        </Radix.Root>
      )),
    [shown, drop],
  );
  return (
    <Context.Provider value={tell}>
      <Radix.Provider label="Notice" swipeDirection="right">
        {children}
        {list}
        <Radix.Viewport className="toast-place" />
      </Radix.Provider>
    </Context.Provider>
  );
};

const MOST_SHOWN = 4;
