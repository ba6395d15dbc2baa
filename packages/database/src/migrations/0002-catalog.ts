import { sql, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import type { Migration } from './migration.ts';

/**
 * Named objects. `name_key` is the case-folded name (names are ASCII), and the primary key of `named_objects` is the shared
 * name space of views and tables: a row there reserves the name. Packages have a name space of their own.
 */
export const catalog: Migration = {
  version: 2,
  name: 'catalog',
  up: async (transaction) => {
    await createNames(transaction);
    await createViews(transaction);
    await createTables(transaction);
    await createPackages(transaction);
  },
};

async function createNames(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE named_objects (
      namespace text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL CHECK (lower(name) = name_key),
      kind text NOT NULL CHECK (kind IN ('view', 'table')),
      PRIMARY KEY (namespace, name_key),
      UNIQUE (namespace, name_key, kind)
    )
  `.execute(transaction);
}

/** The `kind` of a view's row is always 'view', so that its foreign key requires a name reserved for a view. */
async function createViews(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE views (
      namespace text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      kind text NOT NULL DEFAULT 'view' CHECK (kind = 'view'),
      name text COLLATE "C" NOT NULL CHECK (lower(name) = name_key),
      text text NOT NULL,
      type text NOT NULL,
      uses jsonb NOT NULL CHECK (jsonb_typeof(uses) = 'array'),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3),
      PRIMARY KEY (namespace, name_key),
      FOREIGN KEY (namespace, name_key, kind) REFERENCES named_objects (namespace, name_key, kind) ON DELETE CASCADE
    )
  `.execute(transaction);
}

/** `id` is part of the physical table's name: no caller's text occurs in PostgreSQL's names. */
async function createTables(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE tables (
      id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      namespace text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      kind text NOT NULL DEFAULT 'table' CHECK (kind = 'table'),
      name text COLLATE "C" NOT NULL CHECK (lower(name) = name_key),
      type text NOT NULL,
      indexes jsonb NOT NULL CHECK (jsonb_typeof(indexes) = 'array'),
      location text,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3),
      PRIMARY KEY (namespace, name_key),
      FOREIGN KEY (namespace, name_key, kind) REFERENCES named_objects (namespace, name_key, kind) ON DELETE CASCADE
    )
  `.execute(transaction);
}

async function createPackages(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE packages (
      namespace text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL CHECK (lower(name) = name_key),
      text text NOT NULL,
      type text NOT NULL,
      uses jsonb NOT NULL CHECK (jsonb_typeof(uses) = 'array'),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3),
      PRIMARY KEY (namespace, name_key)
    )
  `.execute(transaction);
}
