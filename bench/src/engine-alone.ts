import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';

/** Opens the engine without the service: in this process, in memory, with the given number of threads. */
export async function openEngine(threads = 2): Promise<{ readonly connection: DuckDBConnection; readonly close: () => void }> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  return {
    connection,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
