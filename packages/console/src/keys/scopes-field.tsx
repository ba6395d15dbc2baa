import { memo } from 'react';
import { Link } from 'react-router';

import { useApplications } from '../applications/application-queries.ts';
import type { Application } from '../gateway/api-types.ts';
import { Checkbox, CheckboxGroup } from '../ui/fields.tsx';
import { EmptyState, Loaded } from '../ui/states.tsx';

/** The scopes that applications declare, to pick from. Hundreds of them are not drawn again by what is typed in other fields. */
export const ScopesField = memo(function ScopesField({
  value,
  onChange,
}: {
  readonly value: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
}) {
  const applications = useApplications();
  return (
    <Loaded query={applications} what="the scopes">
      {(data) => {
        const declaring = data.filter(({ scopes }) => scopes.length > 0);
        return declaring.length === 0 ? <NoScopes /> : <ScopeChoice applications={declaring} value={value} onChange={onChange} />;
      }}
    </Loaded>
  );
});

function ScopeChoice({
  applications,
  value,
  onChange,
}: {
  readonly applications: readonly Application[];
  readonly value: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
}) {
  return (
    <CheckboxGroup
      label="Scopes"
      hint="The key can call an endpoint if it has all scopes of that endpoint. Scopes cannot be changed later."
      value={[...value]}
      onChange={onChange}
    >
      <div className="scope-groups">
        {applications.map(({ application, title, scopes }) => (
          <div key={application} role="group" aria-label={`Scopes of ${title ?? application}`} className="scope-group">
            <p className="scope-group-title">{title ?? application}</p>
            {scopes.map(({ name, description }) => (
              <Checkbox key={name} value={name} hint={description ?? undefined}>
                <code>{name}</code>
              </Checkbox>
            ))}
          </div>
        ))}
      </div>
    </CheckboxGroup>
  );
}

function NoScopes() {
  return (
    <EmptyState title="No scopes to pick from">
      No application of yours declares a scope. Without one, a key opens endpoints that need a key and no scope.{' '}
      <Link to="/applications">See the applications</Link>
    </EmptyState>
  );
}
