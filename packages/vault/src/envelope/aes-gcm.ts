import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Bytes that encryption adds to a text. */
export const GCM_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/** Encrypts under a fresh random nonce. The answer is nonce, ciphertext, tag. */
export function encryptGcm(key: Buffer, associated: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the result of `encryptGcm`. Null if key, associated data or any byte differ, or bytes are missing. */
export function decryptGcm(key: Buffer, associated: Buffer, encrypted: Buffer): Buffer | null {
  if (encrypted.length < GCM_OVERHEAD_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associated);
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    // The only failure of `final`: the tag is not that of these bytes.
    return null;
  }
}
