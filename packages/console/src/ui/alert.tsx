import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import './alert.css';

/** Severity of an alert. */
export type Tone = 'info' | 'success' | 'warning' | 'danger';

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert } as const;

/** Properties of an alert. */
export interface AlertProps {
  readonly tone: Tone;
  readonly title?: string;
  readonly children: ReactNode;
  /** `alert` is announced immediately, `status` when the screen reader is idle; without a role the text is part of the page. */
  readonly role?: 'alert' | 'status';
}

export function Alert({ tone, title, children, role }: AlertProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`alert alert-${tone}`} role={role}>
      <Icon className="icon" aria-hidden />
      <div className="stack-small">
        {title === undefined ? null : <p className="alert-title">{title}</p>}
        <div>{children}</div>
      </div>
    </div>
  );
}
