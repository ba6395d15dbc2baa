import { DatabaseError } from 'pg';

/**
 * Returns whether the server rejected or cancelled a statement and continues to serve; false if it is stopping or refuses
 * connections.
 */
export function isRefusedStatement(error: unknown): boolean {
  return error instanceof DatabaseError && !/^(08|53300|57P)/.test(error.code ?? '');
}
