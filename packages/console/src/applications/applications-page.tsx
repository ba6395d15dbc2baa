import { Link } from 'react-router';

import { Page } from '../app/page.tsx';
import type { Application } from '../gateway/api-types.ts';
import { Badge, ScopeList } from '../ui/badge.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { EmptyState, Loaded } from '../ui/states.tsx';
import { useApplications } from './application-queries.ts';

const COLUMNS: readonly Column<Application>[] = [
  {
    header: 'Application',
    isRowHeader: true,
    cell: ({ application, title }) => (
      <span className="stack-small">
        <Link to={`/applications/${application}`}>{title ?? application}</Link>
        {title === null ? null : <code className="muted">{application}</code>}
      </span>
    ),
  },
  { header: 'State', cell: ({ problems }) => <ApplicationState problems={problems.length} /> },
  { header: 'Endpoints', cell: ({ endpoints }) => describeEndpoints(endpoints) },
  { header: 'Scopes', cell: ({ scopes }) => <ScopeList scopes={scopes.map(({ name }) => name)} none="None" /> },
];

/** Page of all applications of the namespace. */
export function ApplicationsPage() {
  const applications = useApplications();
  return (
    <Page title="Applications" lead="An application is a set of endpoints under one name. Each endpoint calls a function of a package.">
      <Loaded query={applications} what="the applications">
        {(data) =>
          data.length === 0 ? (
            <EmptyState title="No applications yet">
              Describe the endpoints in a definition, and send it with <code>PUT /svc/1/api/admin/applications/&lt;name&gt;</code>.
            </EmptyState>
          ) : (
            <DataTable label="Applications" columns={COLUMNS} rows={data} rowKey={({ application }) => application} />
          )
        }
      </Loaded>
    </Page>
  );
}

export function ApplicationState({ problems }: { readonly problems: number }) {
  if (problems === 0) return <Badge tone="success">Works</Badge>;
  return <Badge tone="danger">{problems === 1 ? '1 problem' : `${problems} problems`}</Badge>;
}

function describeEndpoints(endpoints: Application['endpoints']): string {
  const open = endpoints.filter(({ visibility }) => visibility === 'public').length;
  return `${endpoints.length} (${open} public, ${endpoints.length - open} private)`;
}
