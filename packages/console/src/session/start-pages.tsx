import { useEffect, useState, type ReactNode } from 'react';

import { explainError } from '../gateway/explain-error.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { readRefusal } from './authorization.ts';
import './start-pages.css';

/** Page after a sign-out. */
export function SignedOutPage({ signIn }: { readonly signIn: () => Promise<void> }) {
  const [error, setError] = useState<unknown>();
  return (
    <StartPage title="You are signed out">
      {error === undefined ? null : (
        <Alert tone="danger" role="alert">
          {explainError(error)}
        </Alert>
      )}
      <div>
        <Button variant="primary" autoFocus onPress={() => void signIn().catch(setError)}>
          Sign in
        </Button>
      </div>
    </StartPage>
  );
}

/** Page after a failed sign-in. */
export function StartFailurePage({ error }: { readonly error: unknown }) {
  return (
    <StartPage title="You could not be signed in">
      <Alert tone="danger" role="alert">
        {readRefusal(error) ?? explainError(error)}
      </Alert>
      <div>
        <Button variant="primary" onPress={() => location.assign(import.meta.env.BASE_URL)}>
          Try again
        </Button>
      </div>
    </StartPage>
  );
}

function StartPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <main className="start">
      <div className="panel start-panel">
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="40" height="40" />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
