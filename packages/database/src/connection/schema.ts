import type { ColumnType, Generated } from 'kysely';

import type { StoredIndex } from './stored-index.ts';
import type { DeadLetterRow, StreamLogRow, StreamOffsetRow, StreamRow, StreamWorkerRow } from './stream-rows.ts';

/** The metadata tables, as kysely row types. A migration that changes a table changes its row type here. */
export interface Schema {
  readonly schema_versions: SchemaVersionRow;
  readonly namespaces: NamespaceRow;
  readonly named_objects: NamedObjectRow;
  readonly views: ViewRow;
  readonly tables: TableRow;
  readonly packages: PackageRow;
  readonly append_keys: AppendKeyRow;
  readonly api_keys: ApiKeyRow;
  readonly api_key_hashes: ApiKeyHashRow;
  readonly api_key_scopes: ApiKeyScopeRow;
  readonly api_key_uses: ApiKeyUseRow;
  readonly applications: ApplicationRow;
  readonly audit_entries: AuditRow;
  readonly gateway_versions: GatewayVersionRow;
  readonly credentials: CredentialRow;
  readonly credential_events: CredentialEventRow;
  readonly streams: StreamRow;
  readonly stream_offsets: StreamOffsetRow;
  readonly stream_dead_letters: DeadLetterRow;
  readonly stream_workers: StreamWorkerRow;
  readonly stream_logs: StreamLogRow;
}

/** A migration that has been applied. */
export interface SchemaVersionRow {
  readonly version: number;
  readonly name: string;
  readonly applied_at: Generated<Date>;
  /** Since version 10. */
  readonly breaks_older: Generated<boolean>;
}

/** The number of changes of a namespace's catalogue. */
export interface NamespaceRow {
  readonly namespace: string;
  readonly version: number;
}

/** A name reserved by a view or a table. */
export interface NamedObjectRow {
  readonly namespace: string;
  readonly name_key: string;
  readonly name: string;
  readonly kind: 'view' | 'table';
}

/** A stored query. */
export interface ViewRow extends StoredTextRow {
  readonly kind: Generated<'view'>;
}

/** Stored code with the result of its check. Both columns are null for a package stored before they existed. */
export interface PackageRow extends StoredTextRow {
  /** The public functions and their endpoints, in the form that `@svc/endpoints` writes. */
  readonly functions: ColumnType<unknown, string | null, string | null>;
  /** The subject that stored it last. */
  readonly owner: ColumnType<string | null, string | null, string | null>;
}

/** A user table; `id` is part of its physical table's name. */
export interface TableRow extends NamedRow {
  readonly id: Generated<number>;
  readonly kind: Generated<'table'>;
  readonly type: string;
  readonly indexes: Json<readonly StoredIndex[]>;
  readonly location: string | null;
  readonly key_fields: ColumnType<readonly string[] | null, string | null | undefined, string | null>;
}

/** An upload of rows stored under an idempotency key; digest and number are null until it completes, which no other transaction sees. */
export interface AppendKeyRow {
  readonly table_id: number;
  readonly key: string;
  readonly digest: Buffer | null;
  readonly row_count: number | null;
  readonly created_at: Generated<Date>;
}

/** An API key. Its value is stored sealed only, and found by its hash. */
export interface ApiKeyRow {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly key_prefix: string;
  readonly sealed: Buffer;
  readonly expires_at: Date;
  readonly is_active: boolean;
  readonly rate_limit_requests: number | null;
  readonly rate_limit_seconds: number | null;
  readonly created_by: string;
  readonly created_at: Generated<Date>;
}

/** The SHA-256 of a key's value; `valid_until` is null for the value that the key has now. */
export interface ApiKeyHashRow {
  readonly hash: Buffer;
  readonly key_id: string;
  readonly valid_until: Date | null;
}

/** A scope that a key is bound to. */
export interface ApiKeyScopeRow {
  readonly key_id: string;
  readonly scope: string;
}

/** The time of a key's last use. */
export interface ApiKeyUseRow {
  readonly key_id: string;
  readonly last_used_at: Date;
}

/** An application: its definition as it was sent, and as data. */
export interface ApplicationRow {
  readonly name: string;
  readonly namespace: string;
  readonly definition: string;
  readonly media_type: string;
  readonly content: ColumnType<unknown, string, string>;
  readonly origin: 'api' | 'file';
  readonly created_at: Generated<Date>;
  readonly updated_at: ColumnType<Date | null, never, Date | null>;
}

/** A change of a namespace's keys or applications, or the disclosure of a secret. */
export interface AuditRow {
  readonly id: Generated<number>;
  readonly namespace: string;
  readonly at: Generated<Date>;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
}

/** The number of changes of what gateways cache. */
export interface GatewayVersionRow {
  readonly subject: 'keys' | 'applications';
  readonly version: number;
}

/** The kinds of credentials, as the rest of the product names them. */
export type CredentialKind = 'objbucket' | 'rdbmsserver' | 'filehost-token' | 'http-credential';

/** A credential of a user. All but its name is in `sealed`, encrypted. */
export interface CredentialRow {
  readonly id: Generated<number>;
  readonly subject: string;
  readonly kind: CredentialKind;
  /** Case-folded, for comparison. */
  readonly name: string;
  /** As given by the user. */
  readonly shown_name: string;
  readonly sealed: Buffer;
  readonly created_at: Generated<Date>;
  readonly last_used_at: ColumnType<Date | null, never, Date | null>;
  readonly last_error: ColumnType<string | null, never, string | null>;
  readonly last_error_at: ColumnType<Date | null, never, Date | null>;
  /** Lease: until then only its holder may refresh it. */
  readonly refreshing_until: ColumnType<Date | null, never, Date | null>;
}

/** An event in the life of a credential; outlives the credential. */
export interface CredentialEventRow {
  readonly id: Generated<number>;
  readonly at: Generated<Date>;
  readonly subject: string;
  readonly action: 'created' | 'read' | 'used' | 'checked' | 'refreshed' | 'deleted';
  readonly kind: CredentialKind;
  /** As given by the user. */
  readonly name: string;
  /** Number of consecutive uses in the event; 1 for other actions. */
  readonly times: Generated<number>;
  /** Error of a failed use or check. Contains no secret. */
  readonly error: string | null;
}

/** Something stored that a view or a package uses, by its name. */
export interface StoredUse {
  readonly kind: 'view' | 'table' | 'package';
  readonly name: string;
}

interface NamedRow {
  readonly namespace: string;
  readonly name_key: string;
  readonly name: string;
  readonly created_at: Generated<Date>;
  readonly updated_at: ColumnType<Date | null, never, Date | null>;
}

interface StoredTextRow extends NamedRow {
  readonly text: string;
  readonly type: string;
  readonly uses: Json<readonly StoredUse[]>;
}

/** Read as a value, written as JSON text. */
type Json<Value> = ColumnType<Value, string, string>;
