import { read, type Attack } from './attack.ts';

const NOT_ALLOWED = /The address of ".*" is not allowed: it is not a public one, and the operator has not listed it\.$/;

const addresses: readonly (readonly [string, string])[] = [
  ['loopback', '127.0.0.1'],
  ['loopback, short', '127.1'],
  ['loopback as one number', '2130706433'],
  ['loopback in hexadecimal', '0x7f000001'],
  ['loopback in octal', '0177.0.0.1'],
  ['loopback, percent-encoded', '%31%32%37.0.0.1'],
  ['loopback in other digits', '①②⑦.0.0.1'],
  ['loopback by its name', 'localhost'],
  ['loopback in IPv6', '[::1]'],
  ['loopback of IPv4 in IPv6', '[::ffff:127.0.0.1]'],
  ['the same in hexadecimal', '[::ffff:7f00:1]'],
  ['the same by NAT64', '[64:ff9b::7f00:1]'],
  ['the same by 6to4', '[2002:7f00:1::]'],
  ['this host', '0.0.0.0'],
  ['this host as one number', '0'],
  ['this host in IPv6', '[::]'],
  ['a private network', '10.0.0.1'],
  ['another', '172.16.0.1'],
  ['and another', '192.168.0.1'],
  ['a private network of IPv6', '[fc00::1]'],
  ['a link-local address', '[fe80::1]'],
  ['the metadata of a cloud', '169.254.169.254/latest/meta-data/iam'],
  ['those of another', '100.100.100.200/latest'],
  ['those at a public address', '168.63.129.16/metadata'],
  ['those in IPv6', '[fd00:ec2::254]/latest'],
  ['many hosts at once', '255.255.255.255'],
];

/** Addresses that only the server can reach. */
export const ADDRESSES: readonly Attack[] = [
  ...addresses.map(([what, host]) => read(what, `http://${host}`, NOT_ALLOWED)),
  read('a port where something else listens', 'https://127.0.0.1:5432', NOT_ALLOWED),
  read('a user before the address', 'http://example.com@127.0.0.1/', /a URL holds no user and no password/),
  read('a password before it', 'http://a:b@127.0.0.1/', /a URL holds no user and no password/),
  read('no address', 'http:///etc/passwd', /not a location/),
  read('a bucket that is a path', 's3://../etc/passwd', /is not a location/),
  read('a file host that is a server', 'filehost://127.0.0.1/x', /is not a location/),
];
