import { Plus, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';
import { Link, useLocation, useNavigate } from 'react-router';
import { ApiError } from '@svc/api-client';

import { Page } from '../app/page.tsx';
import type { ApiKey } from '../gateway/api-types.ts';
import { explainError } from '../gateway/explain-error.ts';
import { Alert } from '../ui/alert.tsx';
import { ScopeList } from '../ui/badge.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { RadioGroup } from '../ui/fields.tsx';
import { useNow } from '../ui/now.tsx';
import { EmptyState, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { KeyText } from './key-text.tsx';
import { useKeys } from './key-queries.ts';
import { KeyStatus, statusOf } from './key-status.tsx';
import './keys-page.css';

const COLUMNS: readonly Column<ApiKey>[] = [
  { header: 'Name', isRowHeader: true, cell: ({ id, name }) => <Link to={`/keys/${encodeURIComponent(id)}`}>{name}</Link> },
  { header: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
  { header: 'Key', cell: (key) => <KeyText apiKey={key} /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Time iso={expiresAt} precision="day" /> },
  { header: 'Scopes', cell: ({ scopes }) => <ScopeList scopes={scopes} none="None" /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className="muted">Never</span> : <Time iso={lastUsedAt} precision="day" />),
  },
];

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'expired', label: 'Expired' },
] as const;
type Filter = (typeof FILTERS)[number]['value'];

interface KeySearch {
  readonly text: string;
  readonly filter: Filter;
}

const ALL_KEYS: KeySearch = { text: '', filter: 'all' };

/** Returns the search of an entry of the history. */
function readSearch(state: unknown): KeySearch {
  // The state of this page has one writer, the search itself.
  return { ...ALL_KEYS, ...(state as KeySearch | null) };
}

/** Page of all keys of the namespace. */
export function KeysPage() {
  const keys = useKeys();
  return (
    <Page
      title="API keys"
      lead="A key lets a program call the endpoints of your applications. What it may call depends on its scopes."
      actions={
        keys.data?.pages[0]?.keys.length === 0 ? undefined : (
          <LinkButton to="/keys/new" variant="primary" icon={<Plus className="icon" aria-hidden />}>
            Create a key
          </LinkButton>
        )
      }
    >
      <Loaded query={keys} what="the API keys">
        {({ pages }) => (pages[0]?.keys.length === 0 ? <NoKeys /> : <KeyList list={keys} keys={pages.flatMap(({ keys: page }) => page)} />)}
      </Loaded>
    </Page>
  );
}

function NoKeys() {
  return (
    <EmptyState
      title="No keys yet"
      action={
        <LinkButton to="/keys/new" variant="primary" icon={<Plus className="icon" aria-hidden />}>
          Create a key
        </LinkButton>
      }
    >
      Public endpoints without scopes need no key. For all others, create one, give it scopes, and send it in the header{' '}
      <code>X-SVC-API-KEY</code>.
    </EmptyState>
  );
}

type KeyPages = ReturnType<typeof useKeys>;

/** Offers the next page, if there may be one. */
function MoreKeys({ list }: { readonly list: KeyPages }) {
  return (
    <>
      {list.isFetchNextPageError && !isGone(list.error) ? (
        <Alert tone="danger" role="alert">
          {explainError(list.error)}
        </Alert>
      ) : null}
      {list.hasNextPage ? (
        <div>
          <Button isPending={list.isFetchingNextPage} onPress={() => void loadMore(list)}>
            Load more keys
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** Loads the next page. If the key that it starts after was deleted meanwhile, loads the list again. */
async function loadMore(list: KeyPages): Promise<void> {
  const { error } = await list.fetchNextPage();
  if (isGone(error)) await list.refetch();
}

function isGone(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'key_not_found';
}

function KeyList({ list, keys }: { readonly list: KeyPages; readonly keys: readonly ApiKey[] }) {
  const location = useLocation();
  const [{ text, filter }, setSearch] = useState(() => readSearch(location.state));
  const navigate = useNavigate();
  const search = (next: KeySearch): void => {
    setSearch(next);
    // Kept in the history, so that the way back from a key leads to what was found. Not in the address: a key may be pasted here.
    void navigate('.', { replace: true, state: next });
  };
  const now = useNow();
  const found = keys.filter((key) => (filter === 'all' || statusOf(key, now) === filter) && mentions(key, text));
  const isSearching = filter !== 'all' || text.trim() !== '';
  const hasRest = list.hasNextPage && !list.isError;
  useEffect(() => {
    // A search is one of all keys.
    if (isSearching && hasRest && !list.isFetching) void loadMore(list);
  }, [isSearching, hasRest, list]);
  return (
    <div className="stack">
      <search className="key-filters">
        <SearchField className="search" value={text} onChange={(next) => search({ text: next, filter })}>
          <Label className="visually-hidden">Find keys by name, beginning, scope or creator</Label>
          <Search className="icon" aria-hidden />
          <Input className="input" placeholder="Name, beginning, scope, creator" />
        </SearchField>
        <div className="hidden-label">
          <RadioGroup label="Status" choices={FILTERS} value={filter} onChoose={(next) => search({ text, filter: next })} />
        </div>
        <p className="muted small" role="status">
          {found.length === keys.length ? countKeys(keys.length) : `${found.length} of ${countKeys(keys.length)}`}
          {list.hasNextPage ? (isSearching && hasRest ? ', loading more…' : ', more not loaded') : null}
        </p>
      </search>
      {found.length === 0 && !list.hasNextPage ? (
        <EmptyState title="No key fits" action={<Button onPress={() => search(ALL_KEYS)}>Show all keys</Button>}>
          No key has that text or status.
        </EmptyState>
      ) : (
        <DataTable label="API keys" columns={COLUMNS} rows={found} rowKey={({ id }) => id} />
      )}
      <MoreKeys list={list} />
    </div>
  );
}

function mentions({ name, keyPrefix, scopes, createdBy }: ApiKey, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [name, keyPrefix, createdBy, ...scopes].some((part) => part.toLowerCase().includes(wanted));
}

function countKeys(count: number): string {
  return count === 1 ? '1 key' : `${count} keys`;
}
