import type { RecordType, Type } from '@svc/query-language';

import { memberNames } from '../representation/member-names.ts';
import { quoteText } from '../representation/sql-text.ts';
import type { JsonFileLayout, JsonReadPlan } from './read-plan.ts';

/**
 * The content of a prototype for the rows of a plan; null where the engine does not read such rows by column. The engine refuses members
 * that it does not know only where it found out the columns itself. So it is shown, in place of a list of columns, a file with two
 * documents of the type, which come before the others and are left out.
 */
export function prototypeText(plan: JsonReadPlan, layout: JsonFileLayout): string | null {
  const { rowType, isClosed, onError, isTrusted } = plan;
  if (!isClosed || isTrusted || onError !== 'fail' || rowType.kind !== 'RecordType' || rowType.isNullable || !hasExactNames(rowType))
    return null;
  if (rowType.fields.length === 0) return null;
  const documents = [0, 1].map((turn) => {
    const hidden = hiddenMembers(plan).map((name): [string, unknown] => [name, anything(turn)]);
    return Object.fromEntries([...hidden, ...rowType.fields.map(({ name, type }) => [name, exampleOf(type, turn)] as const)]);
  });
  return layout === 'array' ? JSON.stringify(documents) : documents.map((document) => `${JSON.stringify(document)}\n`).join('');
}

/** The members that documents may have besides those of the type: what the files' names give hides them. */
export function hiddenMembers({ fileColumns }: JsonReadPlan): readonly string[] {
  return fileColumns.map(({ field }) => field.name);
}

/** A value that the engine finds the type of that `jsonReading` wants. */
function exampleOf(type: Type, turn: number): unknown {
  if (type.kind === 'CollectionType') return [exampleOf(type.element, turn)];
  if (type.kind === 'RecordType' && type.fields.length > 0 && hasExactNames(type))
    return Object.fromEntries(type.fields.map((field) => [field.name, exampleOf(field.type, turn)]));
  if (type.kind !== 'PrimitiveType') return anything(turn);
  if (type.name === 'bool') return true;
  return type.name === 'double' || type.name === 'float' ? 1.5 : 'text';
}

/** Two values of which the engine can only say that they are JSON. */
function anything(turn: number): unknown {
  return turn === 0 ? 'text' : ['text'];
}

function hasExactNames({ fields }: RecordType): boolean {
  return memberNames(fields).every((name, i) => name === fields[i]?.name);
}

/** The options that make the engine find out the columns from a prototype, as they are meant. */
export const PROTOTYPE_OPTIONS: readonly string[] = [
  'auto_detect=true',
  `records='true'`,
  'sample_size=2',
  'maximum_sample_files=1',
  'convert_strings_to_integers=false',
  'map_inference_threshold=-1',
  'field_appearance_threshold=0',
];

/** What is wrong with a member that the type lacks; `name` is SQL of a text. */
export function unseenMember(name: string): string {
  return `concat('the member ', ${name}, ${quoteText(` ${UNSEEN}`)})`;
}

/** Completes "the member x". */
export const UNSEEN = 'is not in the sample that the type comes from: sample_size := -1 looks at all of the data';

/** SQL of the members of a JSON object that a record type lacks: a list of their names. */
export function unknownMembers(j: string, names: readonly string[], lambda: string): string {
  return `list_filter(json_keys(${j}), lambda ${lambda}: NOT list_contains([${names.map(quoteText).join(', ')}], ${lambda}))`;
}
