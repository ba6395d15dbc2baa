/** GROUP BY, with ROLLUP, CUBE and GROUPING SETS. */
import type { Expression, GroupItem, SelectExpression } from '../ast.ts';
import { printExpression } from '../print/print-expression.ts';
import { syntaxFault } from '../syntax-error.ts';
import type { Parser } from './parser.ts';

/** The keys of one grouping, as places among all keys. */
type Grouping = readonly number[];

/** Maximum number of grouping sets of one GROUP BY: those of a CUBE of eight keys. */
const MAX_GROUPINGS = 256;

/** `GROUP BY element {, element}`: several elements form the cross product of their grouping sets. */
export function parseGroupBy(p: Parser): Pick<SelectExpression, 'groupBy' | 'groupingSets'> {
  const start = p.expectWord('GROUP');
  p.expectWord('BY');
  const groupBy: GroupItem[] = [];
  let hasSets = false;
  const elements = p.many((): readonly Grouping[] => {
    const several = parseGroupings(p, groupBy);
    hasSets ||= several !== null;
    return several ?? [parseKey(p, groupBy)];
  });
  if (!hasSets) return { groupBy, groupingSets: null };
  const groupingSets = elements.reduce<readonly Grouping[]>(
    (sets, more) => {
      if (sets.length * more.length > MAX_GROUPINGS) tooMany(p.spanFrom(start));
      return sets.flatMap((set) => more.map((keys) => [...set, ...keys]));
    },
    [[]],
  );
  const alias = groupBy.find((key) => key.alias !== null)?.alias;
  if (alias) syntaxFault('unexpected-token', alias.span, 'a name for a key', 'none beside ROLLUP, CUBE and GROUPING SETS: name the item');
  if (groupBy.length === 0) syntaxFault('unexpected-token', p.spanFrom(start), 'no key', 'one, or no GROUP BY for one group of all rows');
  return eachKeyOnce(groupBy, groupingSets);
}

/** A key that is written in several groupings is one. */
function eachKeyOnce(written: readonly GroupItem[], sets: readonly Grouping[]): Pick<SelectExpression, 'groupBy' | 'groupingSets'> {
  const places = new Map<string, number>();
  const groupBy: GroupItem[] = [];
  const placeOf = written.map((key) => {
    const text = printExpression(key.value);
    const place = places.get(text) ?? groupBy.push(key) - 1;
    places.set(text, place);
    return place;
  });
  return { groupBy, groupingSets: sets.map((set) => [...new Set(set.map((place) => placeOf[place] ?? 0))]) };
}

function tooMany(span: Expression['span']): never {
  return syntaxFault(
    'unexpected-token',
    span,
    `more than ${MAX_GROUPINGS} groupings`,
    'fewer keys in CUBE, or GROUPING SETS of those that are wanted',
  );
}

/** `e [AS name]`, or `(e, …)`, which are several keys. */
function parseKey(p: Parser, keys: GroupItem[]): Grouping {
  const start = p.peek();
  const value = p.parseExpression();
  const alias = p.optionalWord('AS') === null ? null : p.expectLabel();
  if (alias === null) return addKeys(value, keys);
  return [keys.push({ kind: 'GroupItem', span: p.spanFrom(start), value, alias }) - 1];
}

/** `ROLLUP (keys, …) | CUBE (keys, …) | GROUPING SETS (grouping, …) | ()`; null for other tokens. */
function parseGroupings(p: Parser, keys: GroupItem[]): readonly Grouping[] | null {
  const start = p.peek();
  if (isNoKey(p)) return [parseKeys(p, keys)];
  if (p.isSymbol('(', 1) && p.optionalWord('ROLLUP') !== null) {
    const parts = parseParts(p, () => [parseKeys(p, keys)]);
    return Array.from({ length: parts.length + 1 }, (_, dropped) => parts.slice(0, parts.length - dropped).flat());
  }
  if (p.isSymbol('(', 1) && p.optionalWord('CUBE') !== null) {
    const parts = parseParts(p, () => [parseKeys(p, keys)]);
    if (2 ** parts.length > MAX_GROUPINGS) tooMany(p.spanFrom(start));
    // The first key changes least often, and the set of all keys comes first.
    return parts.reduceRight<readonly Grouping[]>((rest, part) => [...rest.map((others) => [...part, ...others]), ...rest], [[]]);
  }
  if (p.isSymbol('(', 2) && p.optionalWords('GROUPING', 'SETS'))
    return parseParts(p, () => parseGroupings(p, keys) ?? [parseKeys(p, keys)]);
  return null;
}

function parseParts(p: Parser, parse: () => readonly Grouping[]): readonly Grouping[] {
  return p.inBrackets(() => p.many(parse)).flat();
}

/** `()` is the grouping without keys, and not a record without fields. */
function isNoKey(p: Parser): boolean {
  return p.isSymbol('(') && p.isSymbol(')', 1);
}

/** `()`, `e` or `(e, …)`: keys that are grouped or rolled up together. */
function parseKeys(p: Parser, keys: GroupItem[]): Grouping {
  if (isNoKey(p)) {
    p.index += 2;
    return [];
  }
  return addKeys(p.parseExpression(), keys);
}

/** Adds a key, or those of a tuple. */
function addKeys(written: Expression, keys: GroupItem[]): Grouping {
  const isTuple = written.kind === 'RecordExpression' && written.fields.every(({ name }) => name === null);
  const values = isTuple ? written.fields.map(({ value }) => value) : [written];
  return values.map((value) => keys.push({ kind: 'GroupItem', span: value.span, value, alias: null }) - 1);
}
