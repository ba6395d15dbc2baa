import { DuckDBScalarFunction, INTEGER, VARCHAR, type DuckDBConnection } from '@duckdb/node-api';

import { NOTE_FAILURE } from '../lowering/note-failure.ts';

/** Failures recorded by a statement instead of being raised: raising one would fail all rows evaluated with it. */
export class FailureNotes {
  #messages = new Map<number, string>();

  /** Registers the function with the engine of a connection. It is called for failing rows only. */
  register(connection: DuckDBConnection): void {
    const noting = DuckDBScalarFunction.create({
      name: NOTE_FAILURE,
      parameterTypes: [INTEGER, VARCHAR],
      returnType: VARCHAR,
      // Like `error`: the engine neither evaluates it in advance, nor drops it.
      volatile: true,
      mainFunction: (_, input, output) => {
        const [rows, messages] = [input.getColumnVector(0), input.getColumnVector(1)];
        for (let i = 0; i < input.rowCount; i += 1) {
          this.#note(Number(rows.getItem(i)), String(messages.getItem(i)));
          output.setItem(i, null);
        }
        output.flush();
      },
    });
    connection.registerScalarFunction(noting);
  }

  /** Returns the failures recorded since the last call, by row: only the first of each, since others may result from it. */
  take(): ReadonlyMap<number, string> {
    const taken = this.#messages;
    this.#messages = new Map();
    return taken;
  }

  #note(row: number, message: string): void {
    if (!this.#messages.has(row)) this.#messages.set(row, message);
  }
}
