import type { Type } from '@svc/query-language';

import { hasExactNames } from '../representation/member-names.ts';
import { quoteText } from '../representation/sql-text.ts';
import type { JsonFileLayout, JsonReadPlan } from './read-plan.ts';

/**
 * Returns the content of a prototype for the rows of a plan; null if the engine does not read such rows by column. The
 * engine rejects unknown members only if it inferred the columns itself. So instead of a list of columns it gets a file with
 * two documents of the type, which are read first and skipped.
 */
export function prototypeText(plan: JsonReadPlan, layout: JsonFileLayout): string | null {
  const { rowType, isClosed, onError, isTrusted } = plan;
  if (!isClosed || isTrusted || onError !== 'fail' || rowType.kind !== 'RecordType' || rowType.isNullable || !hasExactNames(rowType.fields))
    return null;
  if (rowType.fields.length === 0) return null;
  const documents = [0, 1].map((turn) => {
    const hidden = hiddenMembers(plan).map((name): [string, unknown] => [name, anything(turn)]);
    return Object.fromEntries([...hidden, ...rowType.fields.map(({ name, type }) => [name, exampleOf(type, turn)] as const)]);
  });
  return layout === 'array' ? JSON.stringify(documents) : documents.map((document) => `${JSON.stringify(document)}\n`).join('');
}

/** Returns members that documents may have besides those of the type: they are hidden by file columns. */
export function hiddenMembers({ fileColumns }: JsonReadPlan): readonly string[] {
  return fileColumns.map(({ field }) => field.name);
}

/** Returns a value from which the engine infers the type that `jsonReading` requires. */
function exampleOf(type: Type, turn: number): unknown {
  if (type.kind === 'CollectionType') return [exampleOf(type.element, turn)];
  if (type.kind === 'RecordType' && type.fields.length > 0 && hasExactNames(type.fields))
    return Object.fromEntries(type.fields.map((field) => [field.name, exampleOf(field.type, turn)]));
  if (type.kind !== 'PrimitiveType') return anything(turn);
  if (type.name === 'bool') return true;
  return type.name === 'double' || type.name === 'float' ? 1.5 : 'text';
}

/** Returns two values whose only common type in the engine is JSON. */
function anything(turn: number): unknown {
  return turn === 0 ? 'text' : ['text'];
}

/** Options that make the engine infer the columns from a prototype, as intended. */
export const PROTOTYPE_OPTIONS: readonly string[] = [
  'auto_detect=true',
  `records='true'`,
  'sample_size=2',
  'maximum_sample_files=1',
  'convert_strings_to_integers=false',
  'map_inference_threshold=-1',
  'field_appearance_threshold=0',
];

/** SQL of the list of a JSON object's members that a record type lacks. */
export function unknownMembers(j: string, names: readonly string[], lambda: string): string {
  return `list_filter(json_keys(${j}), lambda ${lambda}: NOT list_contains([${names.map(quoteText).join(', ')}], ${lambda}))`;
}
