import type { Expression } from '../ast.ts';
import type { TokenReader } from './token-reader.ts';

/**
 * The reader with the recursive rules of the grammar. A file of the grammar imports the rules below its own, and calls those above it here.
 */
export interface Parser extends TokenReader {
  readonly parseExpression: () => Expression;
  readonly parseOr: () => Expression;
  readonly parseClauses: () => Expression;
  readonly parseAppend: () => Expression;
}
