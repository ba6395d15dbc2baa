/** Programs: imports, declarations and their annotations. */
import type { Span } from '../../text/span.ts';
import type { Argument } from './calls.ts';
import type { Expression } from './expression.ts';
import type { Name } from './name.ts';
import type { TypeExpression } from './type-expression.ts';

/** `{ import | declaration } [ expression ]` */
export interface Program {
  readonly kind: 'Program';
  readonly span: Span;
  readonly imports: readonly Import[];
  readonly declarations: readonly Declaration[];
  readonly result: Expression | null;
}

/** `FROM package IMPORT name [AS name] {, …};` */
export interface ImportNames {
  readonly kind: 'ImportNames';
  readonly span: Span;
  readonly packageName: Name;
  readonly names: readonly ImportedName[];
}

/** `IMPORT package [AS name];` */
export interface ImportPackage {
  readonly kind: 'ImportPackage';
  readonly span: Span;
  readonly packageName: Name;
  readonly alias: Name | null;
}

/** A `name [AS alias]` of an import. */
export interface ImportedName {
  readonly kind: 'ImportedName';
  readonly span: Span;
  readonly name: Name;
  readonly alias: Name | null;
}

/** Both forms of IMPORT. */
export type Import = ImportNames | ImportPackage;

/** `@ name ( arguments )` */
export interface Annotation {
  readonly kind: 'Annotation';
  readonly span: Span;
  readonly name: Name;
  readonly arguments: readonly Argument[];
}

/** `{ annotation } [PRIVATE] name [: type] := expression` */
export interface DataDeclaration {
  readonly kind: 'DataDeclaration';
  readonly span: Span;
  readonly annotations: readonly Annotation[];
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly type: TypeExpression | null;
  readonly value: Expression;
}

/** `{ annotation } [PRIVATE] name ( [params] ) [: type] := expression` */
export interface FunctionDeclaration {
  readonly kind: 'FunctionDeclaration';
  readonly span: Span;
  readonly annotations: readonly Annotation[];
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly resultType: TypeExpression | null;
  readonly body: Expression;
}

/** `[PRIVATE] TYPE name := type` */
export interface TypeDeclaration {
  readonly kind: 'TypeDeclaration';
  readonly span: Span;
  readonly isPrivate: boolean;
  readonly name: Name;
  readonly type: TypeExpression;
}

/** Union of the declarations before the expression of a program or a block. */
export type Declaration = DataDeclaration | FunctionDeclaration | TypeDeclaration;

/** `name [: type] [:= default]`; only a lambda's parameter may lack its type. */
export interface Parameter {
  readonly kind: 'Parameter';
  readonly span: Span;
  readonly name: Name;
  readonly type: TypeExpression | null;
  readonly defaultValue: Expression | null;
}
