import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';

const NowContext = createContext(new Date());

const INTERVAL_MS = 30_000;

/** Provides the current time for texts such as "2 minutes ago", so that they stay correct on an open page. */
export function Clock({ children }: { readonly children: ReactNode }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(new Date()), INTERVAL_MS);
    return () => window.clearInterval(timer);
  }, []);
  return <NowContext value={now}>{children}</NowContext>;
}

/** Returns the time, at most half a minute late. */
export function useNow(): Date {
  return useContext(NowContext);
}
