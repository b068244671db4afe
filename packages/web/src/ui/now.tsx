import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';

const Context = createContext(0);

/** The page's current time: one clock for all of it, which ticks twice a minute. */
export const useNow = (): number => useContext(Context);

export const NowProvider = ({ clock, children }: { readonly clock: () => number; readonly children: ReactNode }) => {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), 30_000);
    return () => clearInterval(timer);
  }, [clock]);
  return <Context.Provider value={now}>{children}</Context.Provider>;
};
