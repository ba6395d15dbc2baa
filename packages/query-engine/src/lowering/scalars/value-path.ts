import { printType, type Type } from '@svc/query-language';

import { joinSql, SQL, textLiteral, type Sql } from '../../sql/sql.ts';

/** Path of a part within a value, from the outside in. */
export type ValuePath = readonly (
  | { readonly kind: 'member'; readonly name: string }
  /** SQL of its position, from 1. */
  | { readonly kind: 'element'; readonly position: Sql }
)[];

/** Names that need no quotes after a point in a path. */
const PLAIN_NAME = /^[@#]?[\p{L}_][\p{L}\p{N}_]*$/u;

/** SQL of the message about a part of a value, as `$.items[3].price: expected int but got "x"`; `found` is SQL of a text. */
export function misfitText(path: ValuePath, expected: Type, found: Sql): Sql {
  return atPath(path, [textLiteral(`expected ${printType(expected)} but got `), SQL`left(${found}, ${SHOWN_CHARACTERS})`]);
}

/** SQL of a message about a part of a value, after its path; about the whole value if the path is empty. */
export function atPath(path: ValuePath, message: readonly Sql[]): Sql {
  const parts: Sql[] = [];
  let text = '$';
  for (const part of path) {
    if (part.kind === 'member') {
      text += PLAIN_NAME.test(part.name) ? `.${part.name}` : `[${JSON.stringify(part.name)}]`;
      continue;
    }
    parts.push(textLiteral(`${text}[`), SQL`${part.position} - 1`);
    text = ']';
  }
  const place = path.length === 0 ? [] : [...parts, textLiteral(`${text}: `)];
  return SQL`concat(${joinSql([...place, ...message])})`;
}

const SHOWN_CHARACTERS = 100;
