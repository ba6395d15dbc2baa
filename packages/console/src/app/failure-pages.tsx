import { useRouteError } from 'react-router';

import { explainError } from '../gateway/explain-error.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Page } from './page.tsx';

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState title="There is no page at this address" action={<LinkButton to="/keys">Go to the API keys</LinkButton>}>
        The link may be old, or the address mistyped.
      </EmptyState>
    </Page>
  );
}

/** Replaces a page whose rendering failed. */
export function BrokenPage() {
  const error = useRouteError();
  return (
    <Page title="This page failed">
      <Alert tone="danger" title="The console has a fault" role="alert">
        <div className="stack">
          <p>{explainError(error)}</p>
          <div>
            <Button onPress={() => location.reload()}>Load the page again</Button>
          </div>
        </div>
      </Alert>
    </Page>
  );
}
