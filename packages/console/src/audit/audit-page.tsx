import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { unwrap } from '@svc/api-client';

import { Page } from '../app/page.tsx';
import { explainError } from '../gateway/explain-error.ts';
import type { AuditEntry } from '../gateway/api-types.ts';
import { useGateway } from '../gateway/gateway-context.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { EmptyState, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';

const PAGE_ENTRIES = 50;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { header: 'What', isRowHeader: true, cell: ({ action }) => ACTIONS[action] ?? action },
  { header: 'Which', cell: ({ target }) => <Target target={target} /> },
  { header: 'Who', cell: ({ actor }) => actor },
  { header: 'When', cell: ({ at }) => <Time iso={at} /> },
];

/** Descriptions of actions. Others are shown by their name. */
const ACTIONS: Readonly<Record<string, string>> = {
  'application.delete': 'Application deleted',
  'application.put': 'Application stored',
  'key.activate': 'Key activated',
  'key.create': 'Key created',
  'key.deactivate': 'Key deactivated',
  'key.delete': 'Key deleted',
  'key.reveal': 'Key revealed',
  'key.rotate': 'Key rotated',
  'key.update': 'Key changed',
};

/** Page of the audit trail, newest first. */
export function AuditPage() {
  const gateway = useGateway();
  const log = useInfiniteQuery({
    queryKey: ['audit'],
    // Reached from a page where something was just done: the entry of that must not be missing.
    staleTime: 0,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        gateway.GET('/svc/1/api/admin/audit', {
          params: { query: { limit: PAGE_ENTRIES, ...(pageParam === undefined ? {} : { before: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: (page) => (page.length < PAGE_ENTRIES ? undefined : page.at(-1)?.id),
  });
  return (
    <Page title="Audit log" lead="Every change of a key or an application, and every time that a key was revealed. Newest first.">
      <Loaded query={log} what="the audit log">
        {({ pages }) => {
          const entries = pages.flat();
          if (entries.length === 0) return <EmptyState title="Nothing has happened yet">Changes appear here as they are made.</EmptyState>;
          return (
            <div className="stack">
              <DataTable label="Audit log" columns={COLUMNS} rows={entries} rowKey={({ id }) => String(id)} pageRows={entries.length} />
              {log.isFetchNextPageError ? (
                <Alert tone="danger" role="alert">
                  {explainError(log.error)}
                </Alert>
              ) : null}
              {log.hasNextPage ? (
                <div>
                  <Button isPending={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
                    Show older entries
                  </Button>
                </div>
              ) : null}
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** The name of a key or an application, which leads to its page. */
function Target({ target }: { readonly target: string }) {
  const [, kind = '', name = ''] = /^(key|application) (\S+)$/.exec(target) ?? [];
  if (name === '') return <code>{target}</code>;
  return (
    <Link to={`/${kind}s/${encodeURIComponent(name)}`}>
      <code>{name}</code>
    </Link>
  );
}
