import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createBrowserRouter, Navigate } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ApiError } from '@svc/api-client';

import { LOCALE } from '../format/time.ts';
import { GatewayContext } from '../gateway/gateway-context.ts';
import { createGatewayClient } from '../gateway/gateway-client.ts';
import type { Session } from '../session/session.ts';
import { SessionOverError } from '../session/session.ts';
import { AREAS } from './areas.tsx';
import { BrokenPage, NotFoundPage } from './failure-pages.tsx';
import { Shell } from './shell.tsx';

/** The console of a signed-in user. */
export function App({ session }: { readonly session: Session }) {
  const [gateway] = useState(() => createGatewayClient(session));
  const [queries] = useState(createQueryClient);
  const [router] = useState(() => createRouter(session));
  return (
    <I18nProvider locale={LOCALE}>
      <GatewayContext value={gateway}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </GatewayContext>
    </I18nProvider>
  );
}

function createRouter(session: Session) {
  return createBrowserRouter(
    [
      {
        element: <Shell session={session} />,
        children: [
          {
            errorElement: <BrokenPage />,
            children: [
              { index: true, element: <Navigate to="/keys" replace /> },
              ...AREAS.map(({ path, pages }) => ({ path, children: [...pages] })),
              { path: '*', Component: NotFoundPage },
            ],
          },
        ],
      },
    ],
    { basename: import.meta.env.BASE_URL },
  );
}

/**
 * Creates the query client. Retries temporary failures once; a rejection is final. Without a network a request fails like
 * any other: by default it would wait, and a change that the user gave up would be made when the network is back.
 */
function createQueryClient(): QueryClient {
  const isFinal = (error: Error): boolean => error instanceof SessionOverError || (error instanceof ApiError && error.status < 500);
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: (failures, error) => failures < 1 && !isFinal(error), staleTime: 5_000 },
      mutations: { networkMode: 'always' },
    },
  });
}
