import { createDiagnostic } from '../../diagnostics/diagnostic-messages.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { spanning } from '../../text/span.ts';
import type { Span } from '../../text/span.ts';
import type { Token } from '../token.ts';

/** A token that the grammar refuses, with the tokens around it. */
export interface Fault {
  readonly tokens: readonly Token[];
  /** The index of the refused token. */
  readonly at: number;
  /** Description of the expected tokens. */
  readonly expected: string;
}

/** Opening brackets. */
export const OPENING: ReadonlySet<string> = new Set(['(', '[', '{']);
/** Closing brackets. */
export const CLOSING: ReadonlySet<string> = new Set([')', ']', '}']);

/** Returns the word, in upper case, `offset` tokens from the unexpected one; empty if there is none. */
export function wordAt({ tokens, at }: Fault, offset: number): string {
  return tokens[at + offset]?.keyword ?? '';
}

/** The span of the token at an index. */
export function spanOf({ tokens }: Fault, index: number): Span {
  return tokens[index]?.span ?? { start: 0, end: 0 };
}

/** Returns whether the token at an index is this symbol. */
export function hasSymbol({ tokens }: Fault, index: number, symbol: string): boolean {
  const token = tokens[index];
  return token?.kind === 'symbol' && token.text === symbol;
}

/** Returns the index of the innermost bracket open at an index; -1 if there is none. */
export function openBracket({ tokens }: Fault, index: number): number {
  let depth = 0;
  for (let i = index - 1; i >= 0; i -= 1) {
    const token = tokens[i];
    if (token?.kind !== 'symbol') continue;
    if (CLOSING.has(token.text)) depth += 1;
    if (OPENING.has(token.text)) depth -= 1;
    if (depth < 0) return i;
  }
  return -1;
}

/** Yields the indexes of tokens before the unexpected one within the same brackets, nearest first. */
export function* tokensBefore({ tokens, at }: Fault): Generator<number> {
  let depth = 0;
  for (let i = at - 1; i >= 0; i -= 1) {
    const token = tokens[i];
    if (token?.kind === 'symbol' && CLOSING.has(token.text)) depth += 1;
    if (token?.kind === 'symbol' && OPENING.has(token.text)) depth -= 1;
    if (depth < 0) return;
    if (depth === 0) yield i;
  }
}

/** Explains that a reserved word needs back-ticks as a name. */
export function reservedAsName({ text }: Token): string {
  return `a reserved word stands in back-ticks as a name: \`${text}\``;
}

/** A diagnostic of a construct that the language does not have, at the tokens from one index to another. */
export function unsupported(fault: Fault, first: number, last: number, what: string, instead: string): Diagnostic {
  return createDiagnostic('unsupported-construct', [spanning(spanOf(fault, first), spanOf(fault, last))], what, instead);
}
