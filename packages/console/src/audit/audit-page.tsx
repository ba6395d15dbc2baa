import { useInfiniteQuery } from '@tanstack/react-query';

import { Page } from '../app/page.tsx';
import { explainError } from '../gateway/api-error.ts';
import type { AuditEntry } from '../gateway/api-types.ts';
import { unwrap } from '../gateway/gateway-client.ts';
import { useGateway } from '../gateway/gateway-context.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { EmptyState, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';

const PAGE_ENTRIES = 50;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { header: 'When', cell: ({ at }) => <Time iso={at} /> },
  { header: 'Who', cell: ({ actor }) => actor },
  { header: 'What', isRowHeader: true, cell: ({ action }) => <code>{action}</code> },
  { header: 'Of what', cell: ({ target }) => <code>{target}</code> },
];

/** What people have changed and revealed, newest first. */
export function AuditPage() {
  const gateway = useGateway();
  const log = useInfiniteQuery({
    queryKey: ['audit'],
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
