import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';

/** Maximum number of cached prepared statements per connection. */
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
   * Returns the statement, prepared now or for an earlier lease. Preparing binds the state of its sources: `version`
   * identifies that state, and must change with it.
   */
  async prepare(sql: string, version: string): Promise<DuckDBPreparedStatement> {
    const key = `${version}\n${sql}`;
    const known = this.#prepared.get(key);
    if (known !== undefined) return known;
    const statement = await this.connection.prepare(sql);
    this.#prepared.set(key, statement);
    return statement;
  }

  /** Closes the connection with its prepared statements. */
  close(): void {
    this.#prepared.clear();
    this.connection.closeSync();
  }
}
