import { RunningQueries } from './running-queries.ts';

const at = new Date('2026-01-02T03:04:05.678Z');
const never = new AbortController().signal;

test('a subject sees its own queries, the oldest first, with the start of the text and how far they are', () => {
  const queries = new RunningQueries({ now: () => at });
  const first = queries.begin({ id: 'a', subject: 'ann', text: '😀'.repeat(300), client: never });
  queries.begin({ id: 'b', subject: 'bob', text: '1', client: never });
  queries.begin({ id: 'c', subject: 'ann', text: '2', client: never });
  first.follow(() => ({ rows: 3, bytes: 17 }));
  expect(queries.list('ann')).toEqual([
    { id: 'a', query: '😀'.repeat(200), startedAt: at, rows: 3, bytes: 17 },
    { id: 'c', query: '2', startedAt: at, rows: 0, bytes: 0 },
  ]);
  first.end();
  expect(queries.list('ann').map(({ id }) => id)).toEqual(['c']);
});

test("a query is cancelled by its subject only, and another's is like one that never was", () => {
  const queries = new RunningQueries();
  const query = queries.begin({ id: 'a', subject: 'ann', text: '1', client: never });
  expect([queries.cancel('bob', 'a'), queries.cancel('ann', 'x'), query.signal.aborted]).toEqual([false, false, false]);
  expect([queries.cancel('ann', 'a'), query.signal.aborted, query.isCancelled()]).toEqual([true, true, true]);
  query.end();
  expect(queries.cancel('ann', 'a')).toBe(false);
});

test('a client that goes away, or has gone already, aborts its query without cancelling it', () => {
  const queries = new RunningQueries();
  const client = new AbortController();
  const before = queries.begin({ id: 'a', subject: 'ann', text: '1', client: client.signal });
  client.abort(new Error('gone'));
  const after = queries.begin({ id: 'b', subject: 'ann', text: '1', client: client.signal });
  for (const query of [before, after]) expect([query.signal.aborted, query.isCancelled()]).toEqual([true, false]);
  expect((before.signal.reason as Error).message).toBe('gone');
});
