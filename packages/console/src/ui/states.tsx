import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { explainError } from '../gateway/explain-error.ts';
import { SessionOverError } from '../session/session.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import './states.css';

/** Shows loaded data, a loading state, or the error. */
export function Loaded<Data>({
  query,
  what,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  /** Completes "Loading …" and "… could not be loaded". */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined)
    return (
      <>
        {query.isRefetchError ? <Failure what={what} error={query.error} retry={() => void query.refetch()} /> : null}
        {children(query.data)}
      </>
    );
  if (query.isError) return <Failure what={what} error={query.error} retry={() => void query.refetch()} />;
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden />
      Loading {what}…
    </p>
  );
}

function Failure({ what, error, retry }: { readonly what: string; readonly error: Error; readonly retry: () => void }) {
  // The shell shows that the session is over.
  if (error instanceof SessionOverError) return null;
  return (
    <Alert tone="danger" title={`${capitalize(what)} could not be loaded`} role="alert">
      <div className="stack">
        <p>{explainError(error)}</p>
        <div>
          <Button onPress={retry}>Try again</Button>
        </div>
      </div>
    </Alert>
  );
}

/** Explains why there is nothing to show, and what to do. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div className="muted">{children}</div>
      {action}
    </div>
  );
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
