import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { unwrap } from '@svc/api-client';

import type { Application } from '../gateway/api-types.ts';
import { useGateway } from '../gateway/gateway-context.ts';

/** The applications of the namespace. */
export function useApplications(): UseQueryResult<readonly Application[]> {
  const gateway = useGateway();
  return useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => unwrap(gateway.GET('/svc/1/api/admin/applications', { signal })),
  });
}

/** Loads an application with its current faults. */
export function useApplication(name: string): UseQueryResult<Application> {
  const gateway = useGateway();
  return useQuery({
    queryKey: ['applications', name],
    queryFn: ({ signal }) => unwrap(gateway.GET('/svc/1/api/admin/applications/{name}', { params: { path: { name } }, signal })),
  });
}

/** The definition of an application, as it was sent. */
export function useDefinition(name: string): UseQueryResult<string> {
  const gateway = useGateway();
  return useQuery({
    queryKey: ['applications', name, 'definition'],
    queryFn: ({ signal }) =>
      unwrap(gateway.GET('/svc/1/api/admin/applications/{name}/definition', { params: { path: { name } }, signal, parseAs: 'text' })),
  });
}
