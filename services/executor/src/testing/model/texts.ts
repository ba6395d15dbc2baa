import { assertNever } from '@svc/query-language';

/** The texts that the model covers: few forms, which use one another in all ways that the catalogue allows. */

/** A query or the code of a package, before it is written. */
export type Text =
  | { readonly form: 'literal'; readonly values: readonly (number | string)[] }
  | { readonly form: 'plus'; readonly source: string; readonly by: number }
  | { readonly form: 'imported-rows'; readonly from: string }
  | { readonly form: 'number'; readonly value: number }
  | { readonly form: 'rows'; readonly source: string }
  | { readonly form: 'successor'; readonly from: string }
  | { readonly form: 'broken' };

/** A text, and the column of the name it uses. */
export interface WrittenText {
  readonly text: string;
  readonly column: number;
}

/** Writes a text. */
export function writeText(text: Text): WrittenText {
  switch (text.form) {
    case 'literal':
      return written(`[${text.values.map((value) => `(e: ${JSON.stringify(value)})`).join(', ')}]`, null);
    case 'plus':
      return written(`SELECT x.e + ${text.by} AS e FROM ${text.source} AS x`, text.source);
    case 'imported-rows':
      return written(`FROM ${text.from} IMPORT rows; rows`, text.from);
    case 'number':
      return written(`num := ${text.value}; shift(x: int) := x + num; PRIVATE hidden(x: int) := x;`, null);
    case 'rows':
      return written(`@get("/rows") shift(x: int) := x; rows := SELECT x.e AS e FROM ${text.source} AS x;`, text.source);
    case 'successor':
      return written(`FROM ${text.from} IMPORT num AS before; num := before + 1; shift(x: int) := x + num;`, text.from);
    case 'broken':
      return written('SELECT FROM', null);
    default:
      return assertNever(text);
  }
}

/** The names are long enough to occur nowhere else. */
function written(text: string, name: string | null): WrittenText {
  return { text, column: name === null ? 0 : text.indexOf(` ${name} `) + 2 };
}
