import { readEnv } from '@svc/service-kit';

import { NETWORK_SETTINGS } from './network-settings.ts';

test.each([
  [{}, []],
  [{ SVC_NETWORK_ALLOW: '127.0.0.0/8, ::1' }, ['127.0.0.0/8', '::1']],
])('%j', (environment, networkAllow) => {
  expect(readEnv(environment, NETWORK_SETTINGS).settings).toEqual({ networkAllow });
});

test.each(['10.0.0.0/33', '10.0.0.0/8 192.168.0.0/16', 'localhost', '127.1'])('%s is refused', (value) => {
  expect(() => readEnv({ SVC_NETWORK_ALLOW: value }, NETWORK_SETTINGS)).toThrow(/SVC_NETWORK_ALLOW.*networks such as 10\.0\.0\.0\/8/s);
});
