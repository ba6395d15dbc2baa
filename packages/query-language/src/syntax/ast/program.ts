/** Programs and their imports. */
import type { Declaration, Expression } from './expression.ts';
import type { Name } from './name.ts';
import type { Node } from './node.ts';

/** `{ import | declaration } [ expression ]` */
export interface Program extends Node<'Program'> {
  readonly imports: readonly Import[];
  readonly declarations: readonly Declaration[];
  readonly result: Expression | null;
}

/** `FROM package IMPORT name [AS name] {, …};` */
export interface ImportNames extends Node<'ImportNames'> {
  readonly packageName: Name;
  readonly names: readonly ImportedName[];
}

/** `IMPORT package [AS name];` */
export interface ImportPackage extends Node<'ImportPackage'> {
  readonly packageName: Name;
  readonly alias: Name | null;
}

/** A `name [AS alias]` of an import. */
export interface ImportedName extends Node<'ImportedName'> {
  readonly name: Name;
  readonly alias: Name | null;
}

/** Both forms of IMPORT. */
export type Import = ImportNames | ImportPackage;
