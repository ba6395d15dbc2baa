import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { Link, useParams } from 'react-router';
import { ApiError } from '@svc/api-client';

import { Page } from '../app/page.tsx';
import type { Application, Endpoint, Problem } from '../gateway/api-types.ts';
import { Alert } from '../ui/alert.tsx';
import { Badge, ScopeList } from '../ui/badge.tsx';
import { LinkButton } from '../ui/button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { EmptyState, Loaded } from '../ui/states.tsx';
import { useApplication, useDefinition } from './application-queries.ts';
import { ApplicationState } from './applications-page.tsx';
import './application-page.css';

/** Page of an application: its faults, endpoints, scopes and definition. */
export function ApplicationPage() {
  const { name = '' } = useParams();
  const application = useApplication(name);
  const isGone = application.error instanceof ApiError && application.error.code === 'application_not_found';
  return (
    <Page
      title={application.data?.title ?? name}
      lead={application.data?.description ?? undefined}
      parent={
        <Link to="/applications" className="back">
          <ArrowLeft className="icon" aria-hidden />
          Applications
        </Link>
      }
      actions={application.data === undefined ? undefined : <ApplicationState problems={application.data.problems.length} />}
    >
      {isGone ? (
        <EmptyState title="This application does not exist" action={<LinkButton to="/applications">See all applications</LinkButton>}>
          Somebody may have deleted it.
        </EmptyState>
      ) : (
        <Loaded query={application} what="the application">
          {(data) => <ApplicationDetails application={data} />}
        </Loaded>
      )}
    </Page>
  );
}

function ApplicationDetails({ application }: { readonly application: Application }) {
  const { application: name, endpoints, scopes, problems } = application;
  return (
    <>
      {problems.length === 0 ? null : <Problems problems={problems} />}
      <section className="stack" aria-labelledby="endpoints">
        <h2 id="endpoints">Endpoints</h2>
        {endpoints.length === 0 ? (
          <EmptyState title="No endpoints">The definition names none, or its packages have none.</EmptyState>
        ) : (
          <DataTable label="Endpoints" columns={ENDPOINT_COLUMNS} rows={endpoints} rowKey={({ method, path }) => `${method} ${path}`} />
        )}
      </section>
      <section className="stack" aria-labelledby="scopes">
        <h2 id="scopes">Scopes</h2>
        {scopes.length === 0 ? (
          <p className="muted">This application declares no scopes.</p>
        ) : (
          <dl className="panel scope-facts">
            {scopes.map((scope) => (
              <div key={scope.name}>
                <dt>
                  <code>{scope.name}</code>
                </dt>
                <dd className="muted">{scope.description ?? 'No description'}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      <Definition name={name} />
    </>
  );
}

function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <Alert tone="danger" title={problems.length === 1 ? 'One thing is wrong' : `${problems.length} things are wrong`}>
      <div className="stack">
        <ul className="problems">
          {problems.map(({ message, path }) => (
            <li key={`${path} ${message}`}>
              {message} {path === '' ? null : <code className="muted">{path}</code>}
            </li>
          ))}
        </ul>
        <p>Calls of such an endpoint are answered with status 503 until that is put right. The other endpoints work.</p>
      </div>
    </Alert>
  );
}

const ENDPOINT_COLUMNS: readonly Column<Endpoint>[] = [
  {
    header: 'Endpoint',
    isRowHeader: true,
    cell: ({ method, path }) => (
      <span className="endpoint">
        <Badge tone="accent">{method}</Badge> <code>{path}</code>
      </span>
    ),
  },
  {
    header: 'Visibility',
    cell: ({ visibility }) => (visibility === 'public' ? <Badge tone="warning">Public</Badge> : <Badge>Private</Badge>),
  },
  {
    header: 'Scopes',
    cell: ({ scopes, visibility }) => (
      <ScopeList scopes={scopes} none={visibility === 'public' ? 'None: no key needed' : 'None: any key'} />
    ),
  },
  { header: 'Function', cell: ({ function: name }) => <code>{name}</code> },
];

function Definition({ name }: { readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure className="panel" isExpanded={isOpen} onExpandedChange={setOpen}>
      <Heading level={2}>
        <AriaButton slot="trigger" className="disclosure-button">
          <span aria-hidden className="disclosure-mark" />
          Definition
        </AriaButton>
      </Heading>
      <DisclosurePanel>{isOpen ? <DefinitionText name={name} /> : null}</DisclosurePanel>
    </Disclosure>
  );
}

function DefinitionText({ name }: { readonly name: string }) {
  const definition = useDefinition(name);
  return (
    <Loaded query={definition} what="the definition">
      {(text) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        <pre className="definition" tabIndex={0} role="region" aria-label="Definition">
          {text}
        </pre>
      )}
    </Loaded>
  );
}
