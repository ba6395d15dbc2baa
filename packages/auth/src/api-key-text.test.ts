import { apiKeyPrefix, createApiKeyText, hashApiKey, isApiKeyText } from './api-key-text.ts';

const KEY = createApiKeyText('local');

test('a key has its prefix, 43 digits of base 62 and a checksum, whatever its random bytes are', () => {
  expect(KEY).toMatch(/^svc_local_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
  expect(createApiKeyText('live', Buffer.alloc(32))).toMatch(/^svc_live_0{43}_[0-9A-Za-z]{6}$/);
  const largest = createApiKeyText('live', Buffer.alloc(32, 0xff));
  expect(largest).toHaveLength('svc_live_'.length + 43 + 7);
  expect([KEY, largest].map(isApiKeyText)).toEqual([true, true]);
});

test('keys are as different as their random bytes', () => {
  const keys = Array.from({ length: 1000 }, () => createApiKeyText('local'));
  expect(new Set(keys).size).toBe(1000);
  expect(new Set(keys.map(hashApiKey)).size).toBe(1000);
});

test('a key with any single bit flipped is no key', () => {
  const bytes = Buffer.from(KEY, 'latin1');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect([bit, isApiKeyText(flipped.toString('latin1'))]).toEqual([bit, false]);
  }
});

test('a key with any single character replaced, dropped or repeated is no key', () => {
  for (let i = 0; i < KEY.length; i += 1) {
    const [before, own, after] = [KEY.slice(0, i), KEY.charAt(i), KEY.slice(i + 1)];
    const replaced = ['0', 'A', 'z', '_'].filter((other) => other !== own).map((other) => before + other + after);
    expect([...replaced, before + after, before + own + own + after].filter(isApiKeyText)).toEqual([]);
  }
});

test.each([
  ['nothing', ''],
  ['a part', KEY.slice(0, -7)],
  ['the other case', KEY.toUpperCase()],
  ['blanks around it', ` ${KEY} `],
  ['a line break after it', `${KEY}\n`],
  ['a U+0000 after it', `${KEY}\0`],
  ['full-width digits', KEY.replace(/\w(?=.{10}$)/, '\uff10')],
  ['Cyrillic letters that look alike', KEY.replace('svc', '\u0455v\u0441')],
  ['two keys', `${KEY}, ${KEY}`],
])('%s is no key', (_, text) => {
  expect(isApiKeyText(text)).toBe(false);
});

test('the prefix shows the environment and eight digits', () => {
  expect(KEY.startsWith(apiKeyPrefix(KEY))).toBe(true);
  expect(apiKeyPrefix(KEY)).toMatch(/^svc_local_[0-9A-Za-z]{8}$/);
});
