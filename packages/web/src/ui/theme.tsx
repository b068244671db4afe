import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import './theme.css';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

type ThemeChoice = { readonly theme: Theme; readonly choose: (theme: Theme) => void; /** What is shown now. */ readonly shown: 'light' | 'dark' };

const Context = createContext<ThemeChoice>({ theme: 'system', choose: () => {}, shown: 'light' });

export const useTheme = (): ThemeChoice => useContext(Context);

export const ThemeProvider = ({ storage, children }: { readonly storage: Pick<Storage, 'getItem' | 'setItem'>; readonly children: ReactNode }) => {
  const [theme, setTheme] = useState<Theme>(() => THEMES.find((one) => one === storage.getItem(THEME_KEY)) ?? 'system');
  const [isDarkOutside, setIsDarkOutside] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const listen = (): void => setIsDarkOutside(query.matches);
    query.addEventListener('change', listen);
    return () => query.removeEventListener('change', listen);
  }, []);
  const shown = theme === 'system' ? (isDarkOutside ? 'dark' : 'light') : theme;
  useEffect(() => {
    document.documentElement.dataset['theme'] = shown;
  }, [shown]);
  const choice = useMemo(
    () => ({
      theme,
      shown,
      choose: (next: Theme) => {
        storage.setItem(THEME_KEY, next);
        setTheme(next);
      },
    }),
    [theme, shown, storage],
  );
  return <Context.Provider value={choice}>{children}</Context.Provider>;
};

const DARK = '(prefers-color-scheme: dark)';
const THEME_KEY = 'yarnboard.theme';
