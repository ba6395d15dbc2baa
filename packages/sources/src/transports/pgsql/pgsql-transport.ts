import { copyRows, countRows } from '@svc/pg-rows';
import { countedRowsReader, type EngineFailure, tableFileReader, type Reader } from '@svc/query-engine';
import type { CollectionType, ReadNeed, Type } from '@svc/query-language';
import { ReadFailure, uniqueNames } from '@svc/text-formats';
import { DatabaseError } from 'pg';

import type { CredentialLookup } from '../../credentials/credential-lookup.ts';
import { noteUse } from '../../credentials/note-use.ts';
import { describeType } from '../../listing/listing.ts';
import type { PgsqlLocation } from '../../locations/location.ts';
import { isPattern } from '../../locations/path-pattern.ts';
import { Misuse } from '../../reading/misuse.ts';
import type { OpenedRows, ResolvedRead, RowNeeds } from '../../resolved-read.ts';
import { fetchRows } from '../../spool/fetch-rows.ts';
import { SourceFailure } from '../source-failure.ts';
import type { Asking, RowTools, RowTransport } from '../transport.ts';
import { describeRows, readableColumns, type DescribedRows, type PgRows } from './describe-rows.ts';
import { listTables, pgsqlLocation } from './list-tables.ts';
import type { PgAccess } from './pg-access.ts';
import { NO_VALUE, pgColumn } from './pg-column.ts';
import type { PgConnections, PgSession } from './pg-connections.ts';
import { explainPg } from './pg-failure.ts';
import { selectRows } from './select-rows.ts';
import { toldColumns, type ReadColumn } from './told-columns.ts';

/** Dependencies of the PostgreSQL transport. */
export interface PgsqlTransportOptions {
  readonly connections: PgConnections;
  readonly credentials: CredentialLookup;
}

type Need = Pick<ReadNeed, 'function' | 'location' | 'options'>;

/** Creates the transport for rows of registered database servers. Each run fetches them anew by COPY in a read-only transaction. */
export function createPgsqlTransport(options: PgsqlTransportOptions): RowTransport<PgsqlLocation> {
  return {
    kind: 'rows',
    resolve: async (need, location, asking) => {
      const described = await describe(options, { need, location, asking });
      return resolveRows({ ...options, need, described, spool: asking.spool, subject: asking.reading.subject });
    },
    identify: async (need, location, asking) => (await describe(options, { need, location, asking })).identity,
    list: (location, asking) =>
      ask(options, { ...asking, subject: asking.reading.subject, server: location.server }, ({ client }) => listTables(client, location)),
  };
}

/** Rows that a server has described. */
interface Described extends DescribedRows {
  readonly rows: PgRows;
  readonly server: string;
  /** The source as the author of the query knows it. */
  readonly location: string;
  /** Changes with the credential and with the columns. */
  readonly identity: string;
}

interface Describing {
  readonly need: Need;
  readonly location: PgsqlLocation;
  readonly asking: Asking;
}

/** Describes the rows once per query, however often they are read. */
async function describe(options: PgsqlTransportOptions, { need, location, asking }: Describing): Promise<Described> {
  const rows = rowsOf(need, location);
  const { server } = location;
  const { subject } = asking.reading;
  const name = rows.kind === 'table' ? pgsqlLocation(server, rows.schema, rows.table) : pgsqlLocation(server);
  return asking.reading.once(JSON.stringify(['pgsql', server, rows]), async () => {
    const describeAs = (found: PgRows): Promise<Described> => {
      const of = { location: name, rows: found, reason: 'not-found' } as const;
      return ask(options, { signal: asking.signal, subject, server, of }, async ({ client }, access) => {
        const described = await describeRows(client, found);
        const columns = JSON.stringify([described.isUtf8, described.columns]);
        return { ...described, rows: found, server, location: name, identity: JSON.stringify([access.identity, columns]) };
      });
    };
    try {
      return await describeAs(rows);
    } catch (thrown) {
      if (!(thrown instanceof SourceFailure) || thrown.failure !== 'not-allowed' || rows.kind === 'query') throw thrown;
      // The user may have been granted some of the columns.
      const of = { location: name, rows, reason: 'not-found' } as const;
      const columns = await ask(options, { signal: asking.signal, subject, server, of }, ({ client }) => readableColumns(client, rows));
      if (columns.length === 0) throw thrown;
      return describeAs({ ...rows, columns });
    }
  });
}

function rowsOf(need: Need, { server, schema, table }: PgsqlLocation): PgRows {
  const { sql: written } = need.options;
  if (need.function === 'QUERY_PGSQL' && typeof written === 'string') {
    // It would end the text in PostgreSQL's protocol.
    if (written.includes('\0')) throw new Misuse('SQL has no character U+0000');
    return { kind: 'query', sql: written };
  }
  if (!['READ', 'READ_PGSQL', 'DESCRIBE'].includes(need.function))
    throw new Misuse(`${need.function} reads files: a table of a database server is read by READ or READ_PGSQL`);
  const [option] = Object.keys(need.options);
  if (option !== undefined) throw new Misuse(`option ${option} has no meaning for tables of a database server`);
  if (schema === null || table === null) throw new Misuse(`expected a table, as in ${pgsqlLocation(server, schema ?? 'schema', 'table')}`);
  if (need.function !== 'READ_PGSQL' && [schema, table].some(isPattern))
    throw new Misuse('a table is read by its name: patterns of tables are for LS and LL');
  return { kind: 'table', schema, table };
}

interface AskingServer {
  readonly subject: string;
  readonly server: string;
  readonly signal: AbortSignal;
  /** The rows, for failures that concern them. */
  readonly of?: Wanted;
}

interface Wanted {
  readonly location: string;
  readonly rows: PgRows;
  /** Meaning of a missing table or column. */
  readonly reason: 'not-found' | 'changed';
}

/** The author's SQL is resolved as in a session of theirs. */
const OWN_SEARCH_PATH = 'SET LOCAL search_path TO DEFAULT';

/** Runs work in a transaction on a server, with the caller's credential. Fails with a SourceFailure. */
async function ask<Found>(
  { connections, credentials }: PgsqlTransportOptions,
  { subject, server, signal, of }: AskingServer,
  work: (session: PgSession, access: PgAccess) => Promise<Found>,
): Promise<Found> {
  const credential = await credentials.databaseServer(subject, server);
  if (credential === null)
    throw new SourceFailure('authentication', `pgsql:${server}: there is no database server ${server}: did you register it?`);
  const access: PgAccess = { ...credential, server, identity: JSON.stringify([subject, server, credential.identity]) };
  return noteUse(credentials, { subject, kind: 'rdbmsserver', name: server }, async () => {
    try {
      return await connections.transaction(access, signal, async (session) => {
        if (of?.rows.kind === 'query') await session.client.query(OWN_SEARCH_PATH);
        return work(session, access);
      });
    } catch (thrown) {
      if (thrown instanceof ReadFailure || thrown instanceof Misuse) throw thrown;
      throw (of === undefined ? null : missing(thrown, of)) ?? explainPg(thrown, access, of?.location);
    }
  });
}

/** SQLSTATE of a missing table, schema or column. */
const MISSING: ReadonlySet<string> = new Set(['42P01', '3F000', '42703']);

/** Returns the failure of a missing table; for the author's SQL, PostgreSQL's own message is more specific. */
function missing(thrown: unknown, { location, rows, reason }: Wanted): SourceFailure | null {
  if (!(thrown instanceof DatabaseError) || !MISSING.has(thrown.code ?? '') || rows.kind === 'query') return null;
  return reason === 'not-found'
    ? new SourceFailure('not-found', `path not found: ${location}`, { cause: thrown })
    : new SourceFailure('changed', `${location}: the table has changed since the query looked at it`, { cause: thrown });
}

interface Resolving extends PgsqlTransportOptions, Pick<RowTools, 'spool'> {
  readonly need: ReadNeed;
  readonly described: Described;
  readonly subject: string;
}

function resolveRows(resolving: Resolving): ResolvedRead {
  const { need, described } = resolving;
  const { identity } = described;
  const found = columnsOf(described);
  const of = { identity, isPersonal: true, bytes: 0, hold: async () => () => undefined };
  if (need.function === 'DESCRIBE') return { ...describeColumns(described, found), ...of, explain: async () => null };
  const columns = toldColumns(found, need.asType);
  const type = (need.asType ?? rowsType(found)) as CollectionType; // toldColumns refuses what is none
  const paths = new Set<string>();
  return {
    ...of,
    type,
    reader: readerOf({ path: '', type, columns, fields: [], maxRowBytes: 0 }),
    openRows: (needs, signal) => openRows(resolving, { type, columns, width: found.length, paths, needs, signal }),
    explain: async (failure) => explainCell(failure, { columns, paths, location: described.location }),
  };
}

function columnsOf({ columns, isUtf8 }: Described) {
  const names = uniqueNames(columns.map(({ name }) => name));
  return columns.map((column, i) => pgColumn({ ...column, name: names[i] ?? column.name }, { isUtf8 }));
}

function rowsType(columns: ReturnType<typeof columnsOf>): Type {
  const element: Type = { kind: 'RecordType', fields: columns.map(({ field }) => field), isNullable: false };
  return { kind: 'CollectionType', element, isNullable: false };
}

function describeColumns({ columns }: Described, found: ReturnType<typeof columnsOf>) {
  const asText = found.flatMap(({ isText, field }, i) => (isText ? [`${field.name} (${columns[i]?.written ?? ''})`] : []));
  const comment = ['a table of PostgreSQL', ...(asText.length === 0 ? [] : [`read as text: ${asText.join(', ')}`])].join('; ');
  return describeType(rowsType(found), { format: 'pgsql', comment, isSampled: false });
}

interface RowsOnDisk {
  readonly path: string;
  readonly type: CollectionType;
  readonly columns: readonly ReadColumn[];
  readonly fields: readonly number[];
  readonly maxRowBytes: number;
}

function readerOf({ columns, ...rows }: RowsOnDisk): Reader {
  const required = columns.flatMap(({ mayLackValue, field }) => (mayLackValue ? [field.name] : []));
  return tableFileReader({ ...rows, foreign: { required: new Set(required) } });
}

interface Opening {
  readonly type: CollectionType;
  readonly columns: readonly ReadColumn[];
  /** Columns of the rows on the server. */
  readonly width: number;
  /** Paths of rows being read. */
  readonly paths: Set<string>;
  readonly needs: RowNeeds;
  readonly signal: AbortSignal;
}

/** Copies the needed part of the rows into the spool; counts them where no field is used. */
async function openRows(resolving: Resolving, { type, columns, width, paths, needs, signal }: Opening): Promise<OpenedRows> {
  const { described, subject, spool } = resolving;
  const { rows, server, location } = described;
  const { sql: select, fields } = selectRows(rows, columns, { needs, width });
  const of = { location, rows, reason: 'changed' } as const;
  return ask(resolving, { subject, server, signal, of }, async ({ client, abort }) => {
    if (fields.length === 0) {
      const count = await countRows({ client, select, signal, abort });
      return { reader: countedRowsReader({ count, type }), bytes: count, close: () => undefined };
    }
    const fetched = await fetchRows(spool, (until) => copyRows({ client, select, signal: until, abort }), signal);
    const { path, bytes, maxRowBytes } = fetched;
    paths.add(path);
    const close = (): void => {
      paths.delete(path);
      fetched.close();
    };
    return { reader: readerOf({ path, type, columns, fields, maxRowBytes }), bytes, close };
  });
}

interface Explaining {
  readonly columns: readonly ReadColumn[];
  readonly paths: ReadonlySet<string>;
  readonly location: string;
}

/** Describes a cell that cannot be read, with its column name. Returns null if the failure belongs to another source. */
function explainCell(failure: EngineFailure, { columns, paths, location }: Explaining): string | null {
  const { sourcePath, sourceColumn = '', failureClass, message } = failure;
  if (sourcePath !== undefined && !paths.has(sourcePath)) return null;
  const numbered = /^f(\d+)$/.exec(sourceColumn);
  const name = sourcePath === undefined ? sourceColumn : (columns[Number(numbered?.[1])]?.field.name ?? sourceColumn);
  if (!columns.some(({ field }) => field.name === name)) return null;
  const reason = message.replace(/^(?:line \d+, )?column [\s\S]*?: /, '').replace(NO_VALUE, '');
  return `${location}: ${failureClass === 'json' ? message : `column ${name}: ${reason}`}`;
}
