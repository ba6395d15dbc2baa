/** Programs and their imports. */
import type { Span } from '../../text/span.ts';
import type { Declaration, Expression } from './expression.ts';
import type { Name } from './name.ts';

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
