import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Digits that 32 random bytes, and the four of a CRC-32, need in base 62. */
const RANDOM_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const KEY_TEXT = /^(svc_[a-z0-9]{1,16}_[0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/;

/**
 * Returns a new API key, `svc_<environment>_<32 random bytes in base 62>_<checksum>`. The environment is 1 to 16 lower-case
 * letters and digits, and shows where the key belongs.
 */
export function createApiKeyText(environment: string, random: Buffer = randomBytes(32)): string {
  const digits = toBase62(BigInt(`0x${random.toString('hex')}`), RANDOM_DIGITS);
  const body = `svc_${environment}_${digits}`;
  return `${body}_${checksum(body)}`;
}

/** Reports whether a text has the form of an API key with the right checksum. No other text can be a key. */
export function isApiKeyText(text: string): boolean {
  const match = KEY_TEXT.exec(text);
  return match?.[1] !== undefined && match[2] === checksum(match[1]);
}

/** Returns the SHA-256 of a key, under which it is stored and found, in base64. */
export function hashApiKey(text: string): string {
  return hash('sha256', text, 'base64');
}

/** Returns the first characters of a key, by which a person recognizes it in a list: eight of its random digits. */
export function apiKeyPrefix(text: string): string {
  return text.slice(0, text.indexOf('_', 'svc_'.length) + 9);
}

/** A CRC-32 differs for any two texts that differ in one character, or in one run of up to 32 bits. */
function checksum(body: string): string {
  // Numbers, which are a third of the cost of BigInt: every call checks a key.
  let text = '';
  for (let rest = crc32(body); text.length < CHECKSUM_DIGITS; rest = Math.floor(rest / 62)) text = (ALPHABET[rest % 62] ?? '') + text;
  return text;
}

function toBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = (ALPHABET[Number(rest % 62n)] ?? '') + text;
  return text;
}
