export { AddressNotAllowed, isAddressNotAllowed } from './address-not-allowed.ts';
export { allowAddresses, isNetwork, type AddressRule } from './address-rule.ts';
export { createGuardedLookup, type ResolveAll } from './guarded-lookup.ts';
export {
  createNetworkGuard,
  type AgentOptions,
  type ConnectOptions,
  type NetworkGuard,
  type NetworkGuardOptions,
} from './network-guard.ts';
