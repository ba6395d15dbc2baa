import type { Constant } from '@svc/query-language';

import { quoteText } from '../../representation/sql-text.ts';
import { bindOnce } from './bind-once.ts';

/** A key of an `any`: a member's name or an element's index. */
export interface NavigateKey {
  readonly sql: string;
  readonly isText: boolean;
  /** Undefined if the key is known only at run time. */
  readonly constant: Constant['value'] | undefined;
}

/** Returns a member or element of an `any`; NULL if it does not exist or is null, and for a negative index. */
export function lowerNavigate(target: string, key: NavigateKey): string {
  if (key.constant === null) return 'CAST(NULL AS JSON)';
  if (typeof key.constant === 'string')
    return key.isText ? constantMember(target, key.constant) : constantElement(target, Number(key.constant));
  return bindOnce([target, key.sql], (j, k) => {
    if (!key.isText) return `CASE WHEN ${k} >= 0 THEN ${step(j, `concat('$[', ${k}, ']')`)} END`;
    const pointer = `concat('/', replace(replace(${k}, '~', '~0'), '/', '~1'))`;
    return `CASE WHEN json_type(${j}) = 'OBJECT' AND ${k} IS NOT NULL THEN ${step(j, pointer)} END`;
  });
}

const CHAIN = /^nullif\(json_extract\(([\s\S]*), '((?:\/[^'/]*)+)'\), 'null'\)$/;

/** A JSON pointer, since `$.*` is a wildcard. Steps one behind the other become one pointer, which halves their cost. */
function constantMember(target: string, name: string): string {
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (/^(\d+|-)$/.test(name))
    return bindOnce([target], (j) => `CASE WHEN json_type(${j}) = 'OBJECT' THEN ${step(j, quoteText(pointer))} END`);
  const chain = CHAIN.exec(target);
  const [, root, before] = chain ?? [];
  return root !== undefined && before !== undefined && !name.includes('\0')
    ? step(root, quoteText(before + pointer))
    : step(target, quoteText(pointer));
}

function constantElement(target: string, index: number): string {
  return index < 0 ? 'CAST(NULL AS JSON)' : step(target, `'$[${index}]'`);
}

function step(target: string, path: string): string {
  return `nullif(json_extract(${target}, ${path}), 'null')`;
}
