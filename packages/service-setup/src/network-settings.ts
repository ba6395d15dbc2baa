import { isNetwork } from '@svc/network-guard';
import { listSetting, refineSetting, withDefault } from '@svc/service-kit';

const networks = listSetting('SVC_NETWORK_ALLOW', { separator: ',', expected: 'networks' });

/** Addresses that a service may reach besides public ones; for every service that connects to external systems. */
export const NETWORK_SETTINGS = {
  networkAllow: withDefault(
    refineSetting(networks, 'networks such as 10.0.0.0/8 or ::1, with commas between them', (listed) =>
      listed.every(isNetwork) ? listed : undefined,
    ),
    [] as readonly string[],
  ),
} as const;
