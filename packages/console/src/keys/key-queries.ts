import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { unwrap, type GatewayPaths } from '@svc/api-client';

import type { ApiKey } from '../gateway/api-types.ts';
import { useGateway } from '../gateway/gateway-context.ts';

const KEYS = '/svc/1/api/admin/keys';
const KEY = '/svc/1/api/admin/keys/{id}';

type Body<Operation> = Operation extends { requestBody?: { content: { 'application/json': infer Content } } } ? Content : never;

/** Request body of a new key. */
export type NewKey = Body<GatewayPaths[typeof KEYS]['post']>;
/** Request body of a change of a key. */
export type KeyChange = Body<GatewayPaths[typeof KEY]['patch']>;

/** Page size; the gateway's maximum. */
const PAGE_KEYS = 1000;

/** Loads the keys of the namespace, oldest first, page by page. The gateway names the next page if there may be one. */
export function useKeys() {
  const gateway = useGateway();
  return useInfiniteQuery({
    queryKey: ['keys'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_KEYS, ...(pageParam === undefined ? {} : { after: pageParam }) };
      const answer = await gateway.GET(KEYS, { params: { query }, signal });
      return { keys: await unwrap(Promise.resolve(answer)), hasNext: answer.response.headers.has('Link') };
    },
    getNextPageParam: ({ keys, hasNext }) => (hasNext ? keys.at(-1)?.id : undefined),
  });
}

/** Loads one key. */
export function useKey(id: string): UseQueryResult<ApiKey> {
  const gateway = useGateway();
  return useQuery({ queryKey: ['keys', id], queryFn: ({ signal }) => unwrap(gateway.GET(KEY, { params: { path: { id } }, signal })) });
}

/** Creates a key; the response contains its text. */
export function useCreateKey() {
  const gateway = useGateway();
  return useKeyMutation((key: NewKey) => unwrap(gateway.POST(KEYS, { body: key })));
}

/** Changes the name, expiry or state of a key. */
export function useChangeKey(id: string) {
  const gateway = useGateway();
  return useKeyMutation((change: KeyChange) => unwrap(gateway.PATCH(KEY, { params: { path: { id } }, body: change })));
}

/** Rotates the text of a key; the old one stays valid for the grace period. */
export function useRotateKey(id: string) {
  const gateway = useGateway();
  return useKeyMutation((graceSeconds: number) =>
    unwrap(gateway.POST('/svc/1/api/admin/keys/{id}/rotate', { params: { path: { id } }, body: { graceSeconds } })),
  );
}

export function useDeleteKey(id: string) {
  const gateway = useGateway();
  return useKeyMutation(async (): Promise<void> => {
    await unwrap(gateway.DELETE(KEY, { params: { path: { id } } }));
  });
}

/** Fetches the text of a key. It is passed to the calling component and never cached; the audit trail records it. */
export function useRevealKey(id: string): UseMutationResult<string, Error, void> {
  const gateway = useGateway();
  const mutationFn = useOneAtATime<void, string>(
    async () => (await unwrap(gateway.POST('/svc/1/api/admin/keys/{id}/reveal', { params: { path: { id } } }))).key,
  );
  return useMutation({ gcTime: 0, mutationFn });
}

function useKeyMutation<Input, Output>(call: (input: Input) => Promise<Output>): UseMutationResult<Output, Error, Input> {
  const queries = useQueryClient();
  const mutationFn = useOneAtATime(call);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['keys'] });
  // A change that failed may have been made: the gateway was perhaps only too late.
  return useMutation({ mutationFn, gcTime: 0, onSuccess: refresh, onError: () => void refresh() });
}

/**
 * Returns a function that shares the result of a running call instead of starting another. A button is disabled only after
 * the next render: without this, a double click rotates a key twice, and shows the text that the second rotation replaced.
 */
function useOneAtATime<Input, Output>(call: (input: Input) => Promise<Output>): (input: Input) => Promise<Output> {
  const running = useRef<Promise<Output>>(undefined);
  return (input) => {
    running.current ??= call(input).finally(() => {
      running.current = undefined;
    });
    return running.current;
  };
}
