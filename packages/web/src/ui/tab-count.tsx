import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';

type TabCount = {
  readonly count: number;
  readonly tell: (count: number) => void;
  /** PAGE-432: the state of the server, if something is wrong. */
  readonly standing: string | null;
  readonly tellStanding: (standing: string | null) => void;
};

const Context = createContext<TabCount>({ count: 0, tell: () => {}, standing: null, tellStanding: () => {} });

/** PAGE-185: how many things wait for the user, shown in the browser's tab. */
export const TabCountProvider = ({ children }: { readonly children: ReactNode }) => {
  const [count, tell] = useState(0);
  const [standing, tellStanding] = useState<string | null>(null);
  const value = useMemo(() => ({ count, tell, standing, tellStanding }), [count, standing]);
  return <Context value={value}>{children}</Context>;
};

export const useTabCount = (): number => useContext(Context).count;

export const useTabStanding = (): string | null => useContext(Context).standing;

export const useTellTabStanding = (standing: string | null): void => {
  const { tellStanding } = useContext(Context);
  useEffect(() => tellStanding(standing), [standing, tellStanding]);
};

/** Sets the count while mounted; null leaves it to others. */
export const useTellTabCount = (count: number | null): void => {
  const { tell } = useContext(Context);
  useEffect(() => {
    if (count !== null) tell(count);
  }, [count, tell]);
  const knows = count !== null;
  useEffect(() => (knows ? () => tell(0) : undefined), [knows, tell]);
};
