import { randomBytes } from 'node:crypto';

import { adminQuery } from './admin-query.ts';

/** A user of a PostgreSQL server who logs in with a password. */
export interface TestRole {
  readonly name: string;
  readonly password: string;
  /** Drops the role, which must own nothing. */
  readonly drop: () => Promise<void>;
}

/** Creates a role without privileges; `url` is that of a role that may create others. */
export async function createTestRole(url: string): Promise<TestRole> {
  const name = `reader_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(18).toString('base64url');
  await adminQuery(url, `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  return { name, password, drop: async () => void (await adminQuery(url, `DROP OWNED BY ${name}`, `DROP ROLE ${name}`)) };
}
