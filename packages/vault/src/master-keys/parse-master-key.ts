/** A master key, or why the text is not one: a clause that completes "cannot be used:". Never shows the text. */
export type ParsedMasterKey = { readonly kind: 'key'; readonly key: Buffer } | { readonly kind: 'unusable'; readonly reason: string };

const KEY_BYTES = 32;
/** Of 32 random bytes about 30 are distinct; fewer than this occur in less than one of 10^18 keys. */
const FEWEST_DISTINCT_BYTES = 16;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Format of a master key, for messages. */
export const MASTER_KEY_EXPECTED = '32 random bytes as base64 (openssl rand -base64 32)';

/** Parses 32 bytes from base64. Rejects values that no random generator produces: repeated bytes, counted bytes, readable text. */
export function parseMasterKey(text: string): ParsedMasterKey {
  const key = Buffer.from(text, 'base64');
  if (!BASE64.test(text) || key.toString('base64').replaceAll('=', '') !== text.replaceAll('=', ''))
    return unusable(`it is not base64, expected ${MASTER_KEY_EXPECTED}`);
  if (key.length !== KEY_BYTES) return unusable(`it has ${key.length} bytes, expected ${MASTER_KEY_EXPECTED}`);
  if (isWeak(key)) return unusable(`it is weak, expected ${MASTER_KEY_EXPECTED}`);
  return { kind: 'key', key };
}

function unusable(reason: string): ParsedMasterKey {
  return { kind: 'unusable', reason };
}

function isWeak(key: Buffer): boolean {
  const bytes = [...key];
  const steps = bytes.slice(1).map((byte, index) => (byte - (bytes[index] ?? 0)) & 0xff);
  const isCounted = new Set(steps).size === 1;
  const isReadable = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isCounted || isReadable || new Set(bytes).size < FEWEST_DISTINCT_BYTES;
}
