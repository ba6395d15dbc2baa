import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';

/** How many statements a connection remembers. */
const MAX_PREPARED = 32;

/** A connection of an engine, with the statements that were prepared on it. Serves one lease after the other. */
export class EngineSession {
  readonly connection: DuckDBConnection;
  readonly #prepared = new LRUCache<string, DuckDBPreparedStatement>({
    max: MAX_PREPARED,
    dispose: (statement) => statement.destroySync(),
  });

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  /**
   * The statement, prepared now or for an earlier lease. What it reads was looked at when it was prepared: `version` says
   * in which state, and must change whenever that has changed.
   */
  async prepare(sql: string, version: string): Promise<DuckDBPreparedStatement> {
    const key = `${version}\n${sql}`;
    const known = this.#prepared.get(key);
    if (known !== undefined) return known;
    const statement = await this.connection.prepare(sql);
    this.#prepared.set(key, statement);
    return statement;
  }

  /** Closes the connection, with what was prepared on it. */
  close(): void {
    this.#prepared.clear();
    this.connection.closeSync();
  }
}
