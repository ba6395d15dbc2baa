import type { ZonedDateTime } from '@internationalized/date';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';

import { Page } from '../app/page.tsx';
import { explainError, mayHaveHappened } from '../gateway/explain-error.ts';
import type { RateLimit } from '../gateway/api-types.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Checkbox, RadioGroup, TextField } from '../ui/fields.tsx';
import { daysFromNow, TERMS, type Term } from './expiry.ts';
import { ExpiryField, LongTermWarning } from './expiry-field.tsx';
import { useCreateKey } from './key-queries.ts';
import { NewKeyText } from './key-text.tsx';
import { RateLimitField } from './rate-limit-field.tsx';
import { ScopesField } from './scopes-field.tsx';
import './create-key-page.css';

/** The form for a new key, and then the key. */
export function CreateKeyPage() {
  const create = useCreateKey();
  const parent = (
    <Link to="/keys" className="back">
      <ArrowLeft className="icon" aria-hidden />
      API keys
    </Link>
  );
  if (create.data !== undefined) {
    const { id, name, key } = create.data;
    return (
      <Page key="created" title="Key created" parent={parent}>
        <section className="panel narrow" aria-label="The new key">
          <Alert tone="success" role="status" title={`The key "${name}" is ready`}>
            Copy it now, and keep it as safe as a password. You can reveal it later, too; each time is noted in the audit log.
          </Alert>
          <NewKeyText name={name} text={key} />
          <p className="muted">
            Programs send it in the header <code>X-SVC-API-KEY</code>.
          </p>
          <div className="cluster">
            <LinkButton to={`/keys/${encodeURIComponent(id)}`} variant="primary">
              See the key
            </LinkButton>
            <Button onPress={() => create.reset()}>Create another one</Button>
          </div>
        </section>
      </Page>
    );
  }
  return (
    <Page key="form" title="Create a key" parent={parent}>
      <CreateKeyForm create={create} />
    </Page>
  );
}

function CreateKeyForm({ create }: { readonly create: ReturnType<typeof useCreateKey> }) {
  const [name, setName] = useState('');
  const [term, setTerm] = useState<Term>('90');
  const [date, setDate] = useState<ZonedDateTime | null>(() => daysFromNow(90));
  const [active, setActive] = useState(true);
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [rateLimit, setRateLimit] = useState<RateLimit | null>(null);
  const expiresAt = term === 'date' ? date : daysFromNow(Number(term));
  const submit = (): void => {
    if (expiresAt === null) return;
    create.mutate({
      name: name.trim(),
      expiresAt: expiresAt.toAbsoluteString(),
      active,
      scopes: [...scopes],
      ...(rateLimit === null ? {} : { rateLimit }),
    });
  };
  return (
    // React Aria's Form would draw every field again for each character typed in one: hundreds, with as many scopes.
    <form
      className="panel narrow form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {create.isError ? (
        <Alert
          tone="danger"
          title={
            mayHaveHappened(create.error) ? 'The key may have been created: see the list before you try again' : 'The key was not created'
          }
          role="alert"
        >
          {explainError(create.error)}
        </Alert>
      ) : null}
      <TextField
        label="Name"
        hint="Says what the key is for, so that others know it in the list."
        value={name}
        onChange={setName}
        isRequired
        maxLength={200}
        autoComplete="off"
      />
      <div className="stack">
        <RadioGroup
          label="Term"
          hint="The key stops working at its end, to the millisecond."
          choices={TERMS}
          value={term}
          onChoose={setTerm}
        />
        {term === 'date' ? <ExpiryField value={date} onChange={setDate} /> : null}
        <LongTermWarning moment={expiresAt} />
      </div>
      <ScopesField value={scopes} onChange={setScopes} />
      <RateLimitField value={rateLimit} onChange={setRateLimit} />
      <Checkbox isSelected={active} onChange={setActive} hint="An inactive key is refused until somebody activates it.">
        Active from the start
      </Checkbox>
      <div className="cluster">
        <Button type="submit" variant="primary" isPending={create.isPending}>
          {create.isPending ? 'Creating…' : 'Create the key'}
        </Button>
        <LinkButton to="/keys" variant="quiet">
          Cancel
        </LinkButton>
      </div>
    </form>
  );
}
