import { DatabaseError } from 'pg';

/** Whether the server refused a statement or gave it up, and goes on to serve; false where it stops or takes no more connections. */
export function isRefusedStatement(error: unknown): boolean {
  return error instanceof DatabaseError && !/^(08|53300|57P)/.test(error.code ?? '');
}
