import type { Scalar, Shape } from './shape.ts';
import type { Term } from './term.ts';

/** A random program: declarations and a result. */
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
  /** The declared type, that of the value or a wider one; null if there is none. */
  readonly shape: Scalar | null;
}

/** `name(parameters) := body;` */
export interface FunctionDeclaration {
  readonly kind: 'function';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Term;
  /** True if it is written as a value, `name := \(…) -> body`: its arguments are positional then. */
  readonly isLambda: boolean;
  /** True if another function has the same name. */
  readonly isOverloaded: boolean;
}

/** A parameter. NULL for one that is not nullable makes the call NULL. */
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
  /** By parameter; null where the default is used. */
  readonly arguments: readonly (Term | null)[];
  /** Number of positional arguments; the others are written by name, in reverse order. */
  readonly byPosition: number;
}

/** `{ name := value; result }` */
export interface Block {
  readonly kind: 'block';
  readonly shape: Shape;
  readonly declaration: DataDeclaration;
  readonly result: Term;
}
