import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { runToEnd } from '../run-to-end.ts';
import type { KafkaKeystore } from './kafka-settings.ts';

const ALIAS = 'broker';
const VALID_DAYS = '30';

/** Creates a key and a self-signed certificate for an address, with Java's keytool. */
export async function makeKeystore(
  directory: string,
  address: string,
): Promise<{ readonly keystore: KafkaKeystore; readonly certificate: string }> {
  const keystore = { path: join(directory, 'keystore.p12'), password: randomBytes(16).toString('hex') };
  await rm(keystore.path, { force: true });
  const at = ['-alias', ALIAS, '-keystore', keystore.path, '-storetype', 'PKCS12', '-storepass', keystore.password];
  const names = ['-dname', 'CN=a broker', '-ext', `san=ip:${address}`];
  await runToEnd(['keytool', '-genkeypair', '-keyalg', 'EC', '-validity', VALID_DAYS, ...names, ...at], undefined);
  return { keystore, certificate: await runToEnd(['keytool', '-exportcert', '-rfc', ...at], undefined) };
}
