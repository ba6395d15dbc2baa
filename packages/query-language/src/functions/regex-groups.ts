import { RE2JS } from 're2js';

import type { Type } from '../types/type.ts';
import { nullable, recordOf, string } from '../types/types.ts';

/** Returns the names of a valid regex's groups: their own if any is named, else `_1`, `_2`, … */
export function groupNames(pattern: string): readonly string[] {
  const regex = RE2JS.compile(pattern);
  const names = new Map(Object.entries(regex.namedGroups()).map(([name, index]): [number, string] => [index, name]));
  return Array.from({ length: regex.groupCount() }, (_, i) => names.get(i + 1) ?? `_${i + 1}`);
}

/** Returns the type of a match: a string without groups, the group's text with one, a record with several. An empty group is NULL. */
export function typeOfMatch(pattern: string): Type {
  const names = groupNames(pattern);
  if (names.length <= 1) return names.length === 0 ? string : nullable(string);
  return recordOf(names.map((name) => ({ name, type: nullable(string) })));
}
