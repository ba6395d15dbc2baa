import type { Constant } from '@svc/query-language';

import { pointerTo } from '../../representation/json-pointer.ts';
import { castTo, NULL, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import { letExpression } from './let-expression.ts';

/** A key of an `any`: a member's name or an element's index. */
export interface NavigateKey {
  readonly sql: Sql;
  readonly isText: boolean;
  /** Undefined if the key is known only at run time. */
  readonly constant: Constant['value'] | undefined;
}

/** Returns a member or element of an `any`; NULL if it does not exist or is null, and for a negative index. */
export function lowerNavigate(target: Sql, key: NavigateKey): Sql {
  if (key.constant === null) return castTo(NULL, 'JSON');
  if (typeof key.constant === 'string')
    return key.isText ? constantMember(target, key.constant) : constantElement(target, Number(key.constant));
  return letExpression([target, key.sql], (j, k) => {
    if (!key.isText) return SQL`CASE WHEN ${k} >= 0 THEN ${step(j, SQL`concat('$[', ${k}, ']')`)} END`;
    return SQL`CASE WHEN json_type(${j}) = 'OBJECT' AND ${k} IS NOT NULL THEN ${memberNamed(j, k)} END`;
  });
}

/** Returns the member of an object whose name is SQL. */
function memberNamed(object: Sql, name: Sql): Sql {
  return step(object, SQL`concat('/', replace(replace(${name}, '~', '~0'), '/', '~1'))`);
}

/** Returns a member of a member, and so on, by constant names: as one JSON pointer, which halves the cost. `$.*` would be a wildcard. */
export function lowerMembers(target: Sql, names: readonly string[]): Sql {
  return step(target, textLiteral(names.map(pointerTo).join('')));
}

/** Returns whether the name of a member can be a step of a pointer: of an array, an index would select an element. */
export function isPointerStep(name: string): boolean {
  return !/^(\d+|-)$/.test(name) && !name.includes('\0');
}

function constantMember(target: Sql, name: string): Sql {
  if (!/^(\d+|-)$/.test(name)) return lowerMembers(target, [name]);
  return letExpression([target], (j) => SQL`CASE WHEN json_type(${j}) = 'OBJECT' THEN ${step(j, textLiteral(pointerTo(name)))} END`);
}

function constantElement(target: Sql, index: number): Sql {
  return index < 0 ? castTo(NULL, 'JSON') : step(target, textLiteral(`$[${index}]`));
}

function step(target: Sql, path: Sql): Sql {
  return SQL`nullif(json_extract(${target}, ${path}), 'null')`;
}
