import type { Call } from '../program/term.ts';
import type { Value } from '../values/value.ts';

/** Implements a function for arguments that are not NULL. */
export type Rule = (args: readonly Value[], term: Call) => Value;
