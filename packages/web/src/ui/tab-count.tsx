import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';

type TabCount = { readonly count: number; readonly tell: (count: number) => void };

const Context = createContext<TabCount>({ count: 0, tell: () => {} });

/** PAGE-185: how many things wait for the user, as the tab of the browser tells it. */
export const TabCountProvider = ({ children }: { readonly children: ReactNode }) => {
  const [count, tell] = useState(0);
  const value = useMemo(() => ({ count, tell }), [count]);
  return <Context value={value}>{children}</Context>;
};

export const useTabCount = (): number => useContext(Context).count;

/** Tells it as long as somebody knows it; null leaves it to others. */
export const useTellTabCount = (count: number | null): void => {
  const { tell } = useContext(Context);
  useEffect(() => {
    if (count !== null) tell(count);
  }, [count, tell]);
  const knows = count !== null;
  useEffect(() => (knows ? () => tell(0) : undefined), [knows, tell]);
};
