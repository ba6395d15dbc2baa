import { createHmac, randomBytes } from 'node:crypto';

import { decryptGcm, encryptGcm, GCM_OVERHEAD_BYTES } from './aes-gcm.ts';
import { encodeBinding, type RecordBinding } from './binding.ts';
import { SealedRecordError } from './sealed-record-error.ts';

/** The master keys, 32 bytes each. */
export interface MasterKeys {
  /** Seals, and opens its own records. */
  readonly masterKey: Buffer;
  /** Opens only: the key before a rotation, or the one after it that other processes use already. */
  readonly previousMasterKey?: Buffer | undefined;
}

/** Seals secrets for storage. Synchronous, without I/O. */
export interface Vault {
  /** Encrypts a secret under a new data key, and the data key under the master key. Answers one self-contained value. */
  readonly seal: (binding: RecordBinding, secret: string) => Buffer;
  /** Opens a record sealed for exactly this binding. Throws a SealedRecordError. */
  readonly open: (binding: RecordBinding, sealed: Buffer) => string;
  /** Rewraps the data key under the current master key; null if it is current. Throws a SealedRecordError. */
  readonly rewrap: (binding: RecordBinding, sealed: Buffer) => Buffer | null;
  /** First bytes of records sealed under the current master key, which identify it. Reveals nothing about the key. */
  readonly sealedPrefix: Buffer;
}

/**
 * The layout of a sealed value, in bytes: format (1), key id (8), wrapped data key (12 nonce + 32 + 16 tag), content (12 nonce + n + 16 tag).
 * The wrapped data key authenticates format and key id as well as the record; the content authenticates the record.
 */
const FORMAT = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const CONTENT_START = HEADER_BYTES + KEY_BYTES + GCM_OVERHEAD_BYTES;

/** Throws a RangeError if a key has not 32 bytes. */
export function createVault({ masterKey, previousMasterKey }: MasterKeys): Vault {
  const current = identify(masterKey);
  const known = previousMasterKey === undefined ? [current] : [current, identify(previousMasterKey)];
  const unwrap = (binding: RecordBinding, sealed: Buffer): Unwrapped => unwrapDataKey(known, binding, sealed);
  return {
    seal: (binding, secret) => {
      const dataKey = randomBytes(KEY_BYTES);
      const content = encryptGcm(dataKey, encodeBinding('content', binding), Buffer.from(secret, 'utf8'));
      return Buffer.concat([current.header, wrapDataKey(current, binding, dataKey), content]);
    },
    open: (binding, sealed) => {
      const { dataKey } = unwrap(binding, sealed);
      const content = decryptGcm(dataKey, encodeBinding('content', binding), sealed.subarray(CONTENT_START));
      if (content === null) throw new SealedRecordError(binding, 'not-authentic');
      return content.toString('utf8');
    },
    rewrap: (binding, sealed) => {
      const { dataKey, key } = unwrap(binding, sealed);
      if (key === current) return null;
      return Buffer.concat([current.header, wrapDataKey(current, binding, dataKey), sealed.subarray(CONTENT_START)]);
    },
    sealedPrefix: current.header,
  };
}

interface IdentifiedKey {
  readonly key: Buffer;
  /** Format and key id, as each value that the key sealed begins. */
  readonly header: Buffer;
}

function identify(key: Buffer): IdentifiedKey {
  if (key.length !== KEY_BYTES) throw new RangeError(`A master key has ${KEY_BYTES} bytes, not ${key.length}.`);
  const id = createHmac('sha256', key).update('svc master key id').digest().subarray(0, KEY_ID_BYTES);
  return { key, header: Buffer.concat([Buffer.of(FORMAT), id]) };
}

function wrapDataKey({ key, header }: IdentifiedKey, binding: RecordBinding, dataKey: Buffer): Buffer {
  return encryptGcm(key, wrapAssociation(header, binding), dataKey);
}

interface Unwrapped {
  readonly dataKey: Buffer;
  readonly key: IdentifiedKey;
}

function unwrapDataKey(known: readonly IdentifiedKey[], binding: RecordBinding, sealed: Buffer): Unwrapped {
  if (sealed[0] !== FORMAT || sealed.length < CONTENT_START + GCM_OVERHEAD_BYTES) throw new SealedRecordError(binding, 'format');
  const key = known.find(({ header }) => header.equals(sealed.subarray(0, HEADER_BYTES)));
  if (key === undefined) throw new SealedRecordError(binding, 'unknown-master-key');
  const dataKey = decryptGcm(key.key, wrapAssociation(key.header, binding), sealed.subarray(HEADER_BYTES, CONTENT_START));
  if (dataKey === null) throw new SealedRecordError(binding, 'not-authentic');
  return { dataKey, key };
}

function wrapAssociation(header: Buffer, binding: RecordBinding): Buffer {
  return Buffer.concat([header, encodeBinding('data key', binding)]);
}
