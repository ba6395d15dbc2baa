import type { Kysely } from 'kysely';

import type { Schema } from '../connection/schema.ts';

/** Channel of change notifications for keys and applications: `<subject> <version> <key id>`. */
export const GATEWAY_CHANNEL = 'svc_gateway';

/** The numbers that every change of keys, or of applications and packages, raises. */
export interface GatewayVersions {
  readonly keys: number;
  readonly applications: number;
}

/** Reads both versions. Data read after this is at least as new. */
export async function readGatewayVersions(db: Kysely<Schema>): Promise<GatewayVersions> {
  const rows = await db.selectFrom('gateway_versions').select(['subject', 'version']).execute();
  const of = (subject: keyof GatewayVersions): number => rows.find((row) => row.subject === subject)?.version ?? 0;
  return { keys: of('keys'), applications: of('applications') };
}
