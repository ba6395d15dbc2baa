import type { Reader } from '@svc/query-engine';
import { constantReader } from '@svc/query-engine';
import type { Type } from '@svc/query-language';
import { FIXED_READ_TYPES, ownValue, printType } from '@svc/query-language';

import type { OpenedRead } from '../reading/read-request.ts';
import type { FoundEntry } from '../transports/transport.ts';

/** Something that is known when the query is checked, as a read. */
export interface ListedValue {
  readonly type: Type;
  readonly reader: Reader;
}

/** Builds the result of LS or LL from the entries. Folders have neither size nor time. */
export function listFiles(functionName: 'LS' | 'LL', entries: readonly FoundEntry[]): ListedValue {
  return valueOf(
    functionName,
    functionName === 'LS'
      ? entries.map((entry) => entry.location)
      : entries.map(({ location, size, modified, isFile }) => ({
          url: location,
          size: isFile ? size : null,
          modified: isFile && modified !== null ? modifiedText(modified) : null,
        })),
  );
}

/** The time of an entry, as the engine reads it. */
export function modifiedText(modified: Date): string {
  return modified.toISOString().replace('T', ' ').replace('Z', '');
}

/** Returns the description of a source, as DESCRIBE shows it. */
export function describeRead({ format, inferred }: OpenedRead): ListedValue {
  const { type, isSampled } = inferred;
  return describeType(type, {
    format,
    comment: isSampled ? 'found out from a sample of the data' : 'found out from all of the data',
    isSampled,
  });
}

/** A type, as DESCRIBE shows it. */
export function describeType(
  type: Type,
  { format, comment, isSampled }: { readonly format: string; readonly comment: string; readonly isSampled: boolean },
): ListedValue {
  const isCollection = type.kind === 'CollectionType';
  const row = isCollection ? type.element : type;
  const columns =
    row.kind === 'RecordType'
      ? row.fields.map((field) => ({ col_name: field.name, ...columnOf(field.type) }))
      : [{ col_name: null, ...columnOf(row) }];
  return valueOf('DESCRIBE', { format, comment, type: printType(type), columns, is_collection: isCollection, sampled: isSampled });
}

function columnOf(type: Type) {
  return { type: printType({ ...type, isNullable: false } as Type), nullable: type.isNullable };
}

function valueOf(functionName: string, value: unknown): ListedValue {
  const type = ownValue(FIXED_READ_TYPES, functionName);
  if (type === undefined) throw new Error(`${functionName} has no type`);
  return { type, reader: constantReader(JSON.stringify(value), type) };
}
