import { randomBytes } from 'node:crypto';

import { DatabaseError } from 'pg';

import { accessServer } from '../servers/server-access.ts';
import { adminQuery } from './admin-query.ts';

/** Schema of a suite's databases. */
export interface TestDatabaseOptions {
  /**
   * Migrates the empty database at this URL. Runs once in a test run for each `template`; every suite gets a copy of the
   * result. Without it, the database is empty.
   */
  readonly migrate?: (url: string) => Promise<unknown>;
  /** Distinguishes the templates of different `migrate` functions. */
  readonly template?: string;
}

/** A database on the PostgreSQL server of the run. */
export interface TestDatabase {
  readonly url: string;
  /** Ends all sessions on it. */
  readonly drop: () => Promise<void>;
}

/** SQLSTATE if a database of that name exists, and if one was created concurrently. */
const NAME_TAKEN = new Set(['42P04', '23505']);

/** Creates a database for a suite, in some ten milliseconds. */
export async function createTestDatabase({ migrate, template = 'metadata' }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { url, run } = await accessServer('database');
  const source = migrate === undefined ? 'template0' : await ensureTemplate({ url, name: `${run}_${template}`, migrate });
  const name = `${run}_${randomBytes(6).toString('hex')}`;
  await adminQuery(url, `CREATE DATABASE "${name}" TEMPLATE "${source}"`);
  return { url: databaseUrl(url, name), drop: async () => void (await adminQuery(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)) };
}

interface Template {
  readonly url: string;
  readonly name: string;
  readonly migrate: (url: string) => Promise<unknown>;
}

/** A template gets its name once it is complete, so one that exists can be copied. */
async function ensureTemplate({ url, name, migrate }: Template): Promise<string> {
  if (await exists(url, name)) return name;
  const unfinished = `${name}_${randomBytes(6).toString('hex')}`;
  await adminQuery(url, `CREATE DATABASE "${unfinished}" TEMPLATE template0`);
  await migrate(databaseUrl(url, unfinished));
  try {
    await adminQuery(url, `ALTER DATABASE "${unfinished}" RENAME TO "${name}"`);
  } catch (error) {
    // Two test files may create one concurrently: the first one keeps the name.
    if (!(error instanceof DatabaseError) || !NAME_TAKEN.has(error.code ?? '')) throw error;
    await adminQuery(url, `DROP DATABASE "${unfinished}"`);
  }
  return name;
}

async function exists(url: string, name: string): Promise<boolean> {
  return (await adminQuery(url, `SELECT 1 FROM pg_database WHERE datname = '${name}'`)).length > 0;
}

function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
