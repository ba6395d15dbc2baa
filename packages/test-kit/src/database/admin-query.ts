import { Client } from 'pg';

/** Runs statements one after the other on one connection, outside a transaction, and answers the rows of the last. */
export async function adminQuery(url: string, ...statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Readonly<Record<string, unknown>>[] = [];
    for (const statement of statements) rows = (await client.query<Readonly<Record<string, unknown>>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
