import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';

/** Frame of a page: its title, purpose and actions. */
export interface PageProps {
  readonly title: string;
  /** Shown above the title, as a link back. */
  readonly parent?: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, parent, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const isFirst = useRef(key === 'default');
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  useEffect(() => {
    // After a step within the console, a screen reader starts at the new title; the first page is the browser's matter.
    if (!isFirst.current) {
      heading.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [pathname]);
  return (
    <div className="page">
      <header className="page-header">
        <div className="stack-small">
          {parent}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead === undefined ? null : <p className="muted page-lead">{lead}</p>}
        </div>
        {actions === undefined ? null : <div className="cluster">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
