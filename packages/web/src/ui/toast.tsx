import { printable, printableLine } from '@yarnboard/transcript';
import { X } from 'lucide-react';
import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import './toast.css';

export type ToastNews = { readonly tone: 'good' | 'bad' | 'info'; readonly title: string; readonly text?: string };
type Shown = ToastNews & { readonly id: number };

const Context = createContext<(news: ToastNews) => void>(() => {});

/** Briefly reports how an action went. Anything that must not be missed is shown in the page as well. */
export const useToast = (): ((news: ToastNews) => void) => useContext(Context);

export const ToastProvider = ({ children }: { readonly children: ReactNode }) => {
  const [{ shown }, setShown] = useState<{ readonly shown: readonly Shown[]; readonly next: number }>({ shown: [], next: 1 });
  const tell = useCallback((news: ToastNews) => {
    setShown(({ shown, next }) => ({ shown: [...shown.slice(-(MOST_SHOWN - 1)), { ...news, id: next }], next: next + 1 }));
  }, []);
  const drop = useCallback((id: number) => setShown(({ shown, next }) => ({ shown: shown.filter((one) => one.id !== id), next })), []);
  return (
    <Context.Provider value={tell}>
      {children}
      {/* It exists before it has text: screen readers announce additions to a live region, not the region itself. */}
      <div className="toast-place" role="region" aria-label="Status messages" aria-live="polite">
        {shown.map((news) => (
          <Toast key={news.id} news={news} onDrop={drop} />
        ))}
      </div>
    </Context.Provider>
  );
};

const Toast = ({ news: { id, tone, title, text }, onDrop }: { readonly news: Shown; readonly onDrop: (id: number) => void }) => {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => onDrop(id), tone === 'bad' ? 12_000 : 5000);
    return () => clearTimeout(timer);
  }, [id, tone, isHeld, onDrop]);
  return (
    <div
      className={`toast toast-${tone}`}
      role={tone === 'bad' ? 'alert' : undefined}
      // Gives readers the time to read or dismiss it.
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <div>
        <p className="toast-title">{printableLine(title)}</p>
        {text === undefined ? null : <p className="toast-text">{printable(text)}</p>}
      </div>
      <IconButton icon={X} label="Dismiss" size="small" onClick={() => onDrop(id)} />
    </div>
  );
};

const MOST_SHOWN = 4;
