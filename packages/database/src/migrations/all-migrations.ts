import { namespaces } from './0001-namespaces.ts';
import { catalog } from './0002-catalog.ts';
import { userRows } from './0003-user-rows.ts';
import { gateway } from './0004-gateway.ts';
import { credentials } from './0005-credentials.ts';
import { streams } from './0006-streams.ts';
import { countEveryCall } from './0007-count-every-call.ts';
import { credentialRefresh } from './0008-credential-refresh.ts';
import { lifeOfTables } from './0009-life-of-tables.ts';
import { compatibility } from './0010-compatibility.ts';
import type { Migration } from './migration.ts';

/** All migrations, in order. A new one gets its file and its line here. */
export const ALL_MIGRATIONS: readonly Migration[] = [
  namespaces,
  catalog,
  userRows,
  gateway,
  credentials,
  streams,
  countEveryCall,
  credentialRefresh,
  lifeOfTables,
  compatibility,
];
