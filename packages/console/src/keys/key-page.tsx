import { ArrowLeft } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { ApiError } from '@svc/api-client';

import { Page } from '../app/page.tsx';
import { explainError } from '../gateway/explain-error.ts';
import type { ApiKey } from '../gateway/api-types.ts';
import { SessionOverError } from '../session/session.ts';
import { Alert } from '../ui/alert.tsx';
import { ScopeList } from '../ui/badge.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { useNow } from '../ui/now.tsx';
import { useNotice } from '../ui/notices.tsx';
import { EmptyState, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { DeleteKeyDialog } from './delete-key-dialog.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { useChangeKey, useKey } from './key-queries.ts';
import { KeyStatus, statusOf } from './key-status.tsx';
import { KeyText } from './key-text.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import './key-page.css';

/** Page of one key, with all its actions. */
export function KeyPage() {
  const { id = '' } = useParams();
  const key = useKey(id);
  const isGone = key.error instanceof ApiError && key.error.code === 'key_not_found';
  return (
    <Page
      title={key.data?.name ?? (isGone ? 'Key not found' : 'API key')}
      parent={
        <Link to="/keys" className="back">
          <ArrowLeft className="icon" aria-hidden />
          API keys
        </Link>
      }
    >
      {isGone ? (
        <EmptyState title="This key does not exist" action={<LinkButton to="/keys">See all keys</LinkButton>}>
          Somebody may have deleted it.
        </EmptyState>
      ) : (
        <Loaded query={key} what="the key">
          {(data) => <KeyDetails apiKey={data} />}
        </Loaded>
      )}
    </Page>
  );
}

function KeyDetails({ apiKey }: { readonly apiKey: ApiKey }) {
  const { scopes, rateLimit, expiresAt, createdBy, createdAt, lastUsedAt } = apiKey;
  const status = statusOf(apiKey, useNow());
  return (
    <>
      <section className="panel" aria-label="Properties">
        <dl className="facts">
          <Fact name="Status">
            <KeyStatus apiKey={apiKey} />
          </Fact>
          <Fact name="Key">
            <KeyText apiKey={apiKey} />
          </Fact>
          <Fact name={status === 'expired' ? 'Expired' : 'Expires'}>
            <Time iso={expiresAt} />
          </Fact>
          <Fact name="Last used">{lastUsedAt === null ? <span className="muted">Never</span> : <Time iso={lastUsedAt} />}</Fact>
          <Fact name="Scopes">
            <ScopeList scopes={scopes} none="None: it opens endpoints that need a key and no scope" />
          </Fact>
          <Fact name="Rate limit">
            {rateLimit === null ? <span className="muted">None</span> : `${rateLimit.requests} calls in ${rateLimit.seconds} seconds`}
          </Fact>
          <Fact name="Created by">{createdBy}</Fact>
          <Fact name="Created">
            <Time iso={createdAt} />
          </Fact>
        </dl>
      </section>
      <KeyActions apiKey={apiKey} />
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type OpenDialog = 'edit' | 'rotate' | 'delete' | null;

function KeyActions({ apiKey }: { readonly apiKey: ApiKey }) {
  const [open, setOpen] = useState<OpenDialog>(null);
  const change = useChangeKey(apiKey.id);
  const now = useNow();
  const notify = useNotice();
  const navigate = useNavigate();
  const close = (): void => setOpen(null);
  const switchActive = (): void => {
    const active = !apiKey.active;
    change.mutate({ active }, { onSuccess: ({ status }) => notify(NOTICES[status]) });
  };
  return (
    <section className="panel" aria-label="Actions">
      {change.isError && !(change.error instanceof SessionOverError) ? (
        <Alert tone="danger" title={change.variables.active === true ? 'The key may not work yet' : 'The key may still work'} role="alert">
          {explainError(change.error)}
        </Alert>
      ) : null}
      <ul className="actions">
        <Action
          title={apiKey.active ? 'Deactivate' : 'Activate'}
          text={apiKey.active ? 'Calls with this key are refused until it is activated again.' : activationText(statusOf(apiKey, now))}
        >
          <Button onPress={switchActive} isPending={change.isPending}>
            {apiKey.active ? 'Deactivate' : 'Activate'}
          </Button>
        </Action>
        <Action title="Edit" text="Change the name, the end of the term, or the rate limit.">
          <Button onPress={() => setOpen('edit')}>Edit…</Button>
        </Action>
        <Action title="Rotate" text="Make a new key text. The old one can hold for a while, so that programs have time to change.">
          <Button onPress={() => setOpen('rotate')}>Rotate…</Button>
        </Action>
        <Action title="Delete" text="Calls with this key are refused for good.">
          <Button variant="danger-quiet" onPress={() => setOpen('delete')}>
            Delete…
          </Button>
        </Action>
      </ul>
      {open === 'edit' ? <EditKeyDialog apiKey={apiKey} onClose={close} /> : null}
      {open === 'rotate' ? <RotateKeyDialog apiKey={apiKey} onClose={close} /> : null}
      {open === 'delete' ? (
        <DeleteKeyDialog
          apiKey={apiKey}
          onClose={close}
          onDeleted={() => {
            notify(`The key "${apiKey.name}" is deleted.`);
            void navigate('/keys');
          }}
        />
      ) : null}
    </section>
  );
}

/** Notices of an activation or deactivation, by the status that the key has after it. */
const NOTICES = {
  active: 'The key works.',
  inactive: 'The key no longer works.',
  expired: 'The change is saved. The key has expired: it works again with a new end only.',
} as const satisfies Record<ApiKey['status'], string>;

function activationText(status: ApiKey['status']): string {
  return status === 'expired'
    ? 'This key has expired: activating it is not enough, it needs a new end, too.'
    : 'Calls with this key are accepted again.';
}

function Action({ title, text, children }: { readonly title: string; readonly text: string; readonly children: ReactNode }) {
  return (
    <li>
      <div>
        <h2 className="action-title">{title}</h2>
        <p className="muted">{text}</p>
      </div>
      {children}
    </li>
  );
}
