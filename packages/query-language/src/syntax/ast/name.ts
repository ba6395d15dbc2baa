import type { Node } from './node.ts';

/** An identifier as written. `isQuoted` (back-ticks) makes it case-sensitive and never a keyword. */
export interface Name extends Node<'Name'> {
  readonly text: string;
  readonly isQuoted: boolean;
}
