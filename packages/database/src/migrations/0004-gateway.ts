import { sql, type Transaction } from 'kysely';

import type { Schema } from '../connection/schema.ts';
import type { Migration } from './migration.ts';

/** The tables of the gateway: API keys, applications, the functions of packages as data, and the audit trail. */
export const gateway: Migration = {
  version: 4,
  name: 'gateway',
  up: async (transaction) => {
    await createKeys(transaction);
    await createApplications(transaction);
    await createAudit(transaction);
    await createVersions(transaction);
    await createRateLimits(transaction);
  },
};

/**
 * A key is found by the SHA-256 of its value. Its current hash has no `valid_until`; earlier ones, after rotations, have
 * one. Uses are a separate table, so that recording them neither touches a key nor counts as a change of it.
 */
async function createKeys(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE api_keys (
      id uuid PRIMARY KEY,
      namespace text COLLATE "C" NOT NULL,
      name text NOT NULL,
      key_prefix text NOT NULL,
      sealed bytea NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      is_active boolean NOT NULL,
      rate_limit_requests integer CHECK (rate_limit_requests > 0),
      rate_limit_seconds integer CHECK (rate_limit_seconds > 0),
      created_by text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      CHECK ((rate_limit_requests IS NULL) = (rate_limit_seconds IS NULL))
    )
  `.execute(transaction);
  await sql`CREATE INDEX api_keys_of_namespace ON api_keys (namespace, created_at, id)`.execute(transaction);
  await sql`
    CREATE TABLE api_key_hashes (
      hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
      key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      valid_until timestamptz(3)
    )
  `.execute(transaction);
  await sql`CREATE INDEX api_key_hashes_of_key ON api_key_hashes (key_id)`.execute(transaction);
  await sql`CREATE UNIQUE INDEX api_key_current_hash ON api_key_hashes (key_id) WHERE valid_until IS NULL`.execute(transaction);
  await sql`
    CREATE TABLE api_key_scopes (
      key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      scope text COLLATE "C" NOT NULL,
      PRIMARY KEY (key_id, scope)
    )
  `.execute(transaction);
  await sql`
    CREATE TABLE api_key_uses (
      key_id uuid PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
      last_used_at timestamptz(3) NOT NULL
    )
  `.execute(transaction);
}

/** The primary key of `applications` is the one space of names of an installation. `functions` is null for a package stored earlier. */
async function createApplications(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE applications (
      name text COLLATE "C" PRIMARY KEY,
      namespace text COLLATE "C" NOT NULL,
      definition text NOT NULL,
      media_type text NOT NULL,
      content jsonb NOT NULL,
      origin text NOT NULL CHECK (origin IN ('api', 'file')),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3)
    )
  `.execute(transaction);
  await sql`CREATE INDEX applications_of_namespace ON applications (namespace)`.execute(transaction);
  await sql`ALTER TABLE packages ADD COLUMN functions jsonb, ADD COLUMN owner text COLLATE "C"`.execute(transaction);
}

async function createAudit(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE TABLE audit_entries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      namespace text COLLATE "C" NOT NULL,
      at timestamptz(3) NOT NULL DEFAULT now(),
      actor text NOT NULL,
      action text NOT NULL,
      target text NOT NULL
    )
  `.execute(transaction);
  await sql`CREATE INDEX audit_entries_of_namespace ON audit_entries (namespace, id)`.execute(transaction);
}

/**
 * Every change of keys, applications or packages raises a version and sends a notification `<subject> <version> <key id>`.
 * The triggers are deferred: the version's row is locked at the end of a transaction, so versions become visible in order.
 */
async function createVersions(transaction: Transaction<Schema>): Promise<void> {
  await sql`CREATE TABLE gateway_versions (subject text PRIMARY KEY, version bigint NOT NULL DEFAULT 0)`.execute(transaction);
  await sql`INSERT INTO gateway_versions (subject) VALUES ('keys'), ('applications')`.execute(transaction);
  await sql`
    CREATE FUNCTION raise_gateway_version(changed text, detail text) RETURNS void LANGUAGE sql AS $$
      WITH raised AS (UPDATE gateway_versions SET version = version + 1 WHERE subject = changed RETURNING version)
      SELECT pg_notify('svc_gateway', concat_ws(' ', changed, version, detail)) FROM raised
    $$
  `.execute(transaction);
  await sql`
    CREATE FUNCTION note_api_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM raise_gateway_version('keys', coalesce(NEW.id, OLD.id)::text);
      RETURN NULL;
    END
    $$
  `.execute(transaction);
  await sql`
    CREATE FUNCTION note_application_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM raise_gateway_version('applications', NULL);
      RETURN NULL;
    END
    $$
  `.execute(transaction);
  for (const [table, noted] of [
    ['api_keys', 'note_api_key_change'],
    ['applications', 'note_application_change'],
    ['packages', 'note_application_change'],
  ] as const)
    await sql`
      CREATE CONSTRAINT TRIGGER gateway_change AFTER INSERT OR UPDATE OR DELETE ON ${sql.table(table)}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${sql.id(noted)}()
    `.execute(transaction);
}

/**
 * Calls of a key in a sliding window of 60 full slots and the current one. The oldest slot counts until it is entirely
 * outside the window, so no window holds more calls than the limit. One row lock per call makes the count exact for all
 * replicas. Unlogged: a crash of the server loses at most one window.
 */
async function createRateLimits(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    CREATE UNLOGGED TABLE api_key_calls (
      key_id uuid PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
      seconds integer NOT NULL,
      slot bigint NOT NULL,
      counts integer[] NOT NULL
    )
  `.execute(transaction);
  await sql`
    CREATE FUNCTION take_api_key_call(
      taken_key uuid, most integer, window_seconds integer, OUT is_allowed boolean, OUT remaining integer, OUT wait_ms integer
    ) LANGUAGE plpgsql AS $$
    DECLARE
      calls api_key_calls;
      slot_ms float8 := window_seconds * 1000.0 / 60;
      now_ms float8;
      current_slot bigint;
      used integer;
      old_count integer;
    BEGIN
      INSERT INTO api_key_calls (key_id, seconds, slot, counts)
        VALUES (taken_key, window_seconds, 0, array_fill(0, ARRAY[61])) ON CONFLICT DO NOTHING;
      SELECT * INTO STRICT calls FROM api_key_calls WHERE key_id = taken_key FOR UPDATE;
      now_ms := extract(epoch FROM clock_timestamp()) * 1000;
      current_slot := floor(now_ms / slot_ms);
      IF calls.seconds <> window_seconds OR calls.slot < current_slot - 60 OR calls.slot > current_slot + 1 THEN
        calls.counts := array_fill(0, ARRAY[61]);
      ELSE
        current_slot := greatest(current_slot, calls.slot);
        FOR step IN 1 .. (current_slot - calls.slot)::integer LOOP
          calls.counts[(calls.slot + step) % 61 + 1] := 0;
        END LOOP;
      END IF;
      SELECT coalesce(sum(n), 0) INTO used FROM unnest(calls.counts) AS n;
      is_allowed := used < most;
      IF is_allowed THEN
        used := used + 1;
        calls.counts[current_slot % 61 + 1] := calls.counts[current_slot % 61 + 1] + 1;
      END IF;
      remaining := greatest(most - used, 0);
      FOR step IN 1 .. 61 LOOP
        old_count := calls.counts[(current_slot + step) % 61 + 1];
        used := used - old_count;
        wait_ms := greatest(ceil((current_slot + step) * slot_ms - now_ms), 0);
        EXIT WHEN old_count > 0 AND used < most;
      END LOOP;
      UPDATE api_key_calls SET seconds = window_seconds, slot = current_slot, counts = calls.counts WHERE key_id = taken_key;
    END
    $$
  `.execute(transaction);
}
