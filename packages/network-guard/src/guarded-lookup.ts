import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { AddressNotAllowed } from './address-not-allowed.ts';
import type { AddressRule } from './address-rule.ts';

/** Finds all addresses of a host name. The system's, but for tests. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A DNS lookup for `net`, `tls` and HTTP agents that returns allowed addresses only, and fails with AddressNotAllowed if a
 * name has none. The socket connects to the checked address, so DNS rebinding gains nothing. Node does not call it for a
 * host that is an address already (see NetworkGuard.isAllowedHost).
 */
export function createGuardedLookup(rule: AddressRule, resolveAll: ResolveAll = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '', undefined);
        return;
      }
      const allowed = addresses.filter(({ address }) => rule.isAllowed(address));
      const [first] = allowed;
      if (first === undefined) callback(new AddressNotAllowed(hostname), '', undefined);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
