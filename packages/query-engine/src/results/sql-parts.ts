import { joinSql, SQL, textLiteral, type Sql } from '../sql/sql.ts';

/** A part of a row's text: constant, or an SQL expression that is never NULL. */
export type TextPart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'sql'; readonly sql: Sql };

/** A piece of fixed text. */
export function text(content: string): TextPart {
  return { kind: 'text', text: content };
}

/** A computed part: VARCHAR, or of a type that the engine prints correctly; never NULL. */
export function sql(expression: Sql): TextPart {
  return { kind: 'sql', sql: expression };
}

/** Concatenates all parts to one VARCHAR expression; adjacent constants are merged. */
export function concatParts(parts: readonly TextPart[]): Sql {
  const merged: TextPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') merged[merged.length - 1] = text(last.text + part.text);
    else merged.push(part);
  }
  return SQL`concat(${joinSql(merged.map((part) => (part.kind === 'text' ? textLiteral(part.text) : part.sql)))})`;
}
