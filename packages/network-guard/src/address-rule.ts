import ipaddr from 'ipaddr.js';

/** Decides which addresses may be reached. */
export interface AddressRule {
  readonly isAllowed: (address: string) => boolean;
}

type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

/** Returns whether a text is a network in the form of `SVC_NETWORK_ALLOW`: `10.0.0.0/8`, or one address such as `::1`. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/**
 * Creates the rule of a list of networks: public unicast addresses are allowed, and of all others (private, loopback,
 * link-local with cloud metadata services, multicast, reserved) those in a network of the list. An address that embeds an
 * IPv4 address is treated as that one. Throws if an entry is not a network.
 */
export function allowAddresses(networks: readonly string[]): AddressRule {
  const allowed = networks.map((network) => {
    const cidr = parseNetwork(network);
    if (cidr === undefined)
      throw new Error(`${JSON.stringify(network)} is no network: expected an address, or one with a prefix length such as 10.0.0.0/8.`);
    return cidr;
  });
  return {
    isAllowed: (text) => {
      const address = unwrap(text);
      return address !== undefined && (isPublic(address) || allowed.some((cidr) => holds(cidr, address)));
    },
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A metadata service that lies at a public address. */
const AZURE_METADATA = '168.63.129.16';

/** The only part of IPv6 that is given out for public use; the library calls everything without a special meaning unicast. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_IPV6) : address.toString() !== AZURE_METADATA;
}

function parseNetwork(text: string): Cidr | undefined {
  // Only the usual four-part form: 10.1 and 0x0a000001 are addresses to some parsers and not to others.
  const [address = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || !isPlainAddress(address)) return undefined;
  const parsed = ipaddr.parse(address);
  const longest = parsed.kind() === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return [parsed, longest];
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest ? [parsed, Number(prefix)] : undefined;
}

function isPlainAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text));
}

/** RFC 6052: how hosts of IPv4 look in a network that has IPv6 only. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

function unwrap(text: string): Address | undefined {
  const [plain = ''] = text.split('%', 1);
  if (!isPlainAddress(plain)) return undefined;
  const address = ipaddr.parse(plain);
  if (!(address instanceof ipaddr.IPv6)) return address;
  return address.isIPv4MappedAddress() || address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function holds([network, prefix]: Cidr, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, prefix);
}
