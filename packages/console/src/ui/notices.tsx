import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';

import './notices.css';

const NoticeContext = createContext<(text: string) => void>(() => {});

const SHOWN_MS = 6_000;

/** Shows short notices of success at the edge of the page; screen readers announce them. */
export function NoticeArea({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState('');
  const timer = useRef<number | undefined>(undefined);
  const show = useCallback((next: string) => {
    window.clearTimeout(timer.current);
    setText(next);
    timer.current = window.setTimeout(() => setText(''), SHOWN_MS);
  }, []);
  const area = useMemo(
    () => (
      <div className="notices" role="status">
        {text === '' ? null : <p className="notice">{text}</p>}
      </div>
    ),
    [text],
  );
  return (
    <NoticeContext value={show}>
      {children}
      {area}
    </NoticeContext>
  );
}

/** Returns a function that shows a notice, replacing the previous one. */
export function useNotice(): (text: string) => void {
  return useContext(NoticeContext);
}
