import { ownValue } from '../own-value.ts';
import { functionNames } from '../functions/find-function.ts';
import { functionOfSql } from '../functions/sql-names.ts';
import type { Name } from '../syntax/ast.ts';
import { suggest } from '../text/suggest.ts';
import { quoteName } from '../types/print.ts';
import type { CheckContext } from './check-context.ts';
import { levelsOf, meant, namesInSight } from './scope.ts';
import type { Scope } from './scope.ts';

/** Suggests the nearest name, in back-ticks if it needs them; null if none is near. */
export function suggestName(name: string, names: readonly string[]): string | null {
  const nearest = suggest(name, names);
  return nearest === null ? null : quoteName(nearest);
}

/** Names of at most this length differ in meaning if one letter is replaced. */
const FEW_LETTERS = 3;

/** The nearest of the names in sight and the built-in functions: one of these begins with the same letter, and if short has the same letters. */
export function suggestFunction(name: string, inSight: readonly string[]): string | null {
  const upper = name.toUpperCase();
  const functions = functionNames().filter(
    (other) =>
      other[0] === upper[0] && (other.length > FEW_LETTERS || other.length !== upper.length || lettersOf(other) === lettersOf(upper)),
  );
  return suggestName(name, [...inSight, ...functions]);
}

function lettersOf(name: string): string {
  return [...name].toSorted().join('');
}

/** Returns the generated name (`_1`, `_2` …) of a visible item without a name; null if all are named. */
export function itemWithoutName(scope: Scope): string | null {
  return namesInSight(scope).find((name) => /^_\d+$/.test(name)) ?? null;
}

/** Suggests the nearest visible name for an unknown one. */
export function nearestName(scope: Scope, name: Name, others: readonly string[]): string | null {
  const inSight = suggestName(name.text, [...namesInSight(scope).slice(0, MOST_NAMES), ...others]);
  return nowOfSql(name) ?? inSight ?? (name.isQuoted ? null : suggest(name.text, WORDS)) ?? nestedField(scope, name);
}

/** Returns the qualified name of a field nested in a visible field, such as `items.sku`; null if there is none. */
function nestedField(scope: Scope, name: Name): string | null {
  const fields = levelsOf(scope).flatMap(({ find }) => {
    const aliases = new Set(find(() => true).flatMap((one) => (one.role === 'field' ? [] : [one.name])));
    return find((other) => !aliases.has(other)).filter(({ role }) => role === 'field');
  });
  for (const { name: outer, use } of fields.slice(0, MOST_NAMES)) {
    const { type } = use(name.span);
    const record = type.kind === 'CollectionType' ? type.element : type;
    const [field] = record.kind === 'RecordType' ? meant(name, (matches) => record.fields.filter((one) => matches(one.name))) : [];
    if (field !== undefined) return `${quoteName(outer)}.${quoteName(field.name)}`;
  }
  return null;
}

/** Returns the number of sampled rows of the nearest source that may have more fields; null if all fields are known. */
export function sampledRowsInSight(context: CheckContext, scope: Scope): number | null {
  for (const type of levelsOf(scope).flatMap(({ rowTypes }) => rowTypes())) {
    const rows = type.kind === 'RecordType' ? context.values.sampledFields.get(type.fields) : undefined;
    if (rows !== undefined) return rows;
  }
  return null;
}

/** Returns whether a source in sight has collections as rows whose elements have a field of the name. */
export function isFieldOfElements(scope: Scope, name: Name): boolean {
  return levelsOf(scope)
    .flatMap(({ rowTypes }) => rowTypes())
    .some((row) => {
      const element = row.kind === 'CollectionType' ? row.element : null;
      return element?.kind === 'RecordType' && meant(name, (matches) => element.fields.filter((one) => matches(one.name))).length > 0;
    });
}

/** Keywords to suggest for a misspelt one that was parsed as a name. */
const WORDS: readonly string[] = ['NULL', 'TRUE', 'FALSE', 'DISTINCT'];

/** Maximum number of visible names compared with an unknown one. */
const MOST_NAMES = 1000;

/** Names that SQL uses without parentheses, and have no function of the same meaning here. */
const VALUES_OF_SQL: Readonly<Record<string, string>> = {
  CURRENT_TIME: 'CAST(NOW() AS time)',
  LOCALTIME: 'CAST(NOW() AS time)',
  CURRENT_USER: 'USER()',
  SESSION_USER: 'USER()',
};

/** Other dialects of SQL write the date and the moment of today without parentheses. */
function nowOfSql(name: Name): string | null {
  const value = name.isQuoted ? undefined : ownValue(VALUES_OF_SQL, name.text.toUpperCase());
  if (value !== undefined) return value;
  const ours = functionOfSql(name.text);
  return ours === 'NOW' || ours === 'TODAY' ? `${ours}()` : null;
}
