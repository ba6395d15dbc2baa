import type { StoredStream } from '@svc/database';
import type { Vault } from '@svc/vault';

import type { BrokerAddress } from '../kafka/broker-address.ts';

type Sealed = Pick<StoredStream, 'namespace' | 'name' | 'settings' | 'sealedPassword'>;

/** Returns the broker of a stream, with the password of its login. Throws a SealedRecordError if the password cannot be decrypted. */
export function brokerOfStream({ namespace, name, settings, sealedPassword }: Sealed, vault: Pick<Vault, 'open'>): BrokerAddress {
  const { host, port, security } = settings;
  const login = security?.login ?? null;
  const password = sealedPassword === null ? '' : vault.open(passwordBinding({ namespace, name }), sealedPassword);
  return { host, port, tls: security?.tls ?? false, login: login === null ? null : { ...login, password } };
}

/** Returns the associated data of a stream's sealed password. */
export function passwordBinding({ namespace, name }: Pick<StoredStream, 'namespace' | 'name'>) {
  return { owner: namespace, kind: 'stream', name } as const;
}
