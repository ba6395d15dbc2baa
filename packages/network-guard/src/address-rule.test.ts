import { allowAddresses, isNetwork } from './address-rule.ts';

describe('without a list', () => {
  const rule = allowAddresses([]);

  test.each(['8.8.8.8', '1.1.1.1', '2001:4860:4860::8888', '::ffff:8.8.8.8', '64:ff9b::808:808'])('%s is allowed', (address) => {
    expect(rule.isAllowed(address)).toBe(true);
  });

  test.each([
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['link-local, metadata', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['metadata at a public address', '168.63.129.16'],
    ['metadata in carrier-grade NAT', '100.100.100.200'],
    ['metadata in unique local', 'fd00:ec2::254'],
    ['metadata in reserved', '192.0.0.192'],
    ['this host', '0.0.0.0'],
    ['this host', '::'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['benchmarks', '198.18.0.1'],
    ['unique local', 'fc00::1'],
    ['old site-local', 'fec0::1'],
    ['IPv4 in IPv6, mapped', '::ffff:127.0.0.1'],
    ['IPv4 in IPv6, mapped, in hexadecimal', '::ffff:7f00:1'],
    ['IPv4 in IPv6, NAT64', '64:ff9b::a00:1'],
    ['IPv4 in IPv6, compatible', '::7f00:1'],
    ['IPv4 in IPv6, 6to4', '2002:7f00:1::'],
    ['IPv4 in IPv6, translated', '::ffff:0:127.0.0.1'],
    ['Teredo', '2001:0:7f00:1::'],
    ['not given out', '4000::1'],
    ['no address', 'localhost'],
    ['no address', ''],
    ['a short form', '127.1'],
    ['octal', '0177.0.0.1'],
    ['hexadecimal', '0x7f000001'],
    ['a number', '2130706433'],
  ])('%s %s is refused', (_what, address) => {
    expect(rule.isAllowed(address)).toBe(false);
  });
});

describe('with a list', () => {
  const rule = allowAddresses(['127.0.0.0/8', '::1', '10.1.2.3', 'fd00:1::/32']);

  test.each(['127.0.0.1', '::1', '10.1.2.3', 'fd00:1::7', '::ffff:127.0.0.1', '8.8.8.8'])('%s is allowed', (address) => {
    expect(rule.isAllowed(address)).toBe(true);
  });

  test.each(['10.1.2.4', 'fd00:2::7', '169.254.169.254', '::', '0.0.0.0'])('%s is still refused', (address) => {
    expect(rule.isAllowed(address)).toBe(false);
  });

  test('everything can be allowed', () => {
    expect(allowAddresses(['0.0.0.0/0']).isAllowed('169.254.169.254')).toBe(true);
    expect(allowAddresses(['0.0.0.0/0']).isAllowed('::1')).toBe(false);
  });
});

test.each([
  '',
  '10',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  '::/129',
  'localhost',
  'fe80::1%eth0',
  '0x7f.0.0.1',
  '10.1/8',
])('%p is no network', (text) => {
  expect(isNetwork(text)).toBe(false);
  expect(() => allowAddresses([text])).toThrow('is no network');
});
