import type { Scalar, Shape } from './shape.ts';
import type { Term } from './term.ts';

/** A program of the random tests: declarations, and what it is about. */
export interface RandomProgram {
  readonly declarations: readonly (DataDeclaration | FunctionDeclaration)[];
  readonly result: Term;
}

/** `name := value;` */
export interface DataDeclaration {
  readonly kind: 'data';
  readonly id: number;
  readonly name: string;
  readonly value: Term;
  /** The type that is written, of the value or a wider one; null where none is. */
  readonly shape: Scalar | null;
}

/** `name(parameters) := body;` */
export interface FunctionDeclaration {
  readonly kind: 'function';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Term;
  /** Whether it is written as a value, `name := \(…) -> body`: then its arguments go by position. */
  readonly isLambda: boolean;
  /** Whether there is another function of its name. */
  readonly isOverloaded: boolean;
}

/** One that is not nullable makes the call NULL where it is given NULL. */
interface Parameter {
  readonly id: number;
  readonly name: string;
  readonly shape: Scalar;
  readonly isNullable: boolean;
  readonly default: Term | null;
}

/** A call of a declared function. */
export interface DeclaredCall {
  readonly kind: 'declared-call';
  readonly shape: Shape;
  readonly function: FunctionDeclaration;
  /** By parameter; null where the default is taken. */
  readonly arguments: readonly (Term | null)[];
  /** How many are written by their position; the others are written by name, the last one first. */
  readonly byPosition: number;
}

/** `{ name := value; result }` */
export interface Block {
  readonly kind: 'block';
  readonly shape: Shape;
  readonly declaration: DataDeclaration;
  readonly result: Term;
}
