import { randomBytes } from 'node:crypto';

import { SealedRecordError } from './sealed-record-error.ts';
import { createVault } from './vault.ts';

const OLD = randomBytes(32);
const NEW = randomBytes(32);
const RECORD = { owner: 'ann', kind: 'bucket', name: 'sales' };

/** The fault of a record that must not open. */
function faultOf(open: () => unknown): unknown {
  try {
    open();
  } catch (error) {
    if (error instanceof SealedRecordError) return error.fault;
    throw error;
  }
  return 'opened';
}

test.each(['', 'secret', 'ключ 🔑', 'x'.repeat(100_000)])('a secret opens for its record as it was', (secret) => {
  const vault = createVault({ masterKey: NEW });

  expect(vault.open(RECORD, vault.seal(RECORD, secret))).toBe(secret);
});

test('the same secret is never sealed the same way twice', () => {
  const vault = createVault({ masterKey: NEW });
  const [first, second] = [vault.seal(RECORD, 'secret'), vault.seal(RECORD, 'secret')];

  // Format and key id are equal; all following bytes differ.
  expect(first.subarray(0, 9)).toEqual(second.subarray(0, 9));
  expect(first.subarray(9, 69)).not.toEqual(second.subarray(9, 69));
  expect(first.subarray(69)).not.toEqual(second.subarray(69));
});

test('with any byte changed, added or missing a record does not open', () => {
  const vault = createVault({ masterKey: NEW, previousMasterKey: OLD });
  const sealed = vault.seal(RECORD, 'secret');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (sealed[at] ?? 0) ^ 1;
    const expected = at === 0 ? 'format' : at < 9 ? 'unknown-master-key' : 'not-authentic';
    expect([at, faultOf(() => vault.open(RECORD, changed))]).toEqual([at, expected]);
    expect(faultOf(() => vault.open(RECORD, sealed.subarray(0, at)))).not.toBe('opened');
  }
  expect(faultOf(() => vault.open(RECORD, Buffer.concat([sealed, Buffer.of(0)])))).toBe('not-authentic');
});

test.each([
  { ...RECORD, owner: 'bob' },
  { ...RECORD, kind: 'database-server' },
  { ...RECORD, name: 'salaries' },
  { owner: 'an', kind: 'nbucket', name: 'sales' },
  { owner: 'ann', kind: 'buckets', name: 'ales' },
])('moved to another record, it does not open: %j', (other) => {
  const vault = createVault({ masterKey: NEW });
  const sealed = vault.seal(RECORD, 'secret');

  expect(faultOf(() => vault.open(other, sealed))).toBe('not-authentic');
});

test('the parts of two sealed values do not fit together', () => {
  const vault = createVault({ masterKey: NEW });
  const [first, second] = [vault.seal(RECORD, 'first'), vault.seal(RECORD, 'second')];

  expect(faultOf(() => vault.open(RECORD, Buffer.concat([first.subarray(0, 69), second.subarray(69)])))).toBe('not-authentic');
});

test('the error names the record and not its content', () => {
  const vault = createVault({ masterKey: NEW });
  const sealed = createVault({ masterKey: OLD }).seal(RECORD, 'canary');

  expect(() => vault.open(RECORD, sealed)).toThrow(new SealedRecordError(RECORD, 'unknown-master-key'));
  expect(new SealedRecordError(RECORD, 'unknown-master-key').message).toBe(
    'The sealed bucket "sales" of "ann" does not open: it was sealed under a master key that is not configured.',
  );
});

test('under two master keys both open, new secrets get the current one, and a record is wrapped anew once', () => {
  const before = createVault({ masterKey: OLD });
  const during = createVault({ masterKey: NEW, previousMasterKey: OLD });
  const after = createVault({ masterKey: NEW });
  const sealed = before.seal(RECORD, 'secret');

  expect(during.open(RECORD, sealed)).toBe('secret');
  expect(after.open(RECORD, during.seal(RECORD, 'new'))).toBe('new');
  const rewrapped = during.rewrap(RECORD, sealed) ?? Buffer.alloc(0);
  expect(after.open(RECORD, rewrapped)).toBe('secret');
  expect(rewrapped.subarray(0, 9)).toEqual(after.sealedPrefix);
  expect(during.rewrap(RECORD, rewrapped)).toBeNull();
  expect(faultOf(() => before.open(RECORD, rewrapped))).toBe('unknown-master-key');
});

test('a key of another length is refused', () => {
  expect(() => createVault({ masterKey: randomBytes(16) })).toThrow('A master key has 32 bytes, not 16.');
});
