import type { ReactNode } from 'react';

import './badge.css';

/** Color of a badge. Its text carries the same meaning. */
export type BadgeTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

export function Badge({ tone = 'neutral', children }: { readonly tone?: BadgeTone; readonly children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}

/** Scopes, or a text if there are none. */
export function ScopeList({ scopes, none }: { readonly scopes: readonly string[]; readonly none: string }) {
  if (scopes.length === 0) return <span className="muted">{none}</span>;
  return (
    <ul className="scopes">
      {scopes.map((scope) => (
        <li key={scope} className="scope">
          {scope}
        </li>
      ))}
    </ul>
  );
}
