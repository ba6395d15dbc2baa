import { anyType, nullable, type RecordType, type Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { memberNames } from '../../representation/member-names.ts';
import { memberParts } from '../../representation/relation-layout.ts';
import { quoteIdentifier, quoteText } from '../../representation/sql-text.ts';
import type { FunctionLowering } from '../lowering-types.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { lowerConvert } from '../scalars/lower-convert.ts';
import { guarded, quotedStart } from './function-parts.ts';
import { parseCsv } from './parse-csv.ts';
import { parseXml } from './parse-xml.ts';

/** The type of one entry: `record(key: string, value: T)`. */
function entryType(result: Type): RecordType {
  if (result.kind !== 'CollectionType' || result.element.kind !== 'RecordType') throw new Error('ENTRIES gives a collection of records.');
  return result.element;
}

function packEntry(type: RecordType, key: string, value: string): string {
  const members = memberNames(type.fields).map((name, i) => `${quoteIdentifier(name)} := ${i === 0 ? key : value}`);
  return `struct_pack(${members.join(', ')})`;
}

/** Returns names and values of a record's fields, or of an object's members, in order; none for another `any`. */
const entries: FunctionLowering = ([record], call) => {
  if (record === undefined) throw new Error('ENTRIES needs a record.');
  const { type } = record;
  const entry = entryType(call.type);
  const valueType = entry.fields[1]?.type ?? nullable(anyType);
  return letExpression([record.sql], (x) => {
    if (type.kind !== 'RecordType') {
      const members = transformList(`json_keys(${x})`, (key) =>
        packEntry(entry, key, `nullif(json_extract(${x}, concat('/', replace(replace(${key}, '~', '~0'), '/', '~1'))), 'null')`),
      );
      return `CASE WHEN ${x} IS NOT NULL THEN CASE WHEN json_type(${x}) = 'OBJECT' THEN ${members} ELSE CAST([] AS ${duckType(call.type)}) END END`;
    }
    const packed = memberParts(x, type.fields).map(({ field, expression }) =>
      packEntry(entry, quoteText(field.name), lowerConvert(expression, field.type, valueType)),
    );
    return `CASE WHEN ${x} IS NOT NULL THEN CAST([${packed.join(', ')}] AS ${duckType(call.type)}) END`;
  });
};

/** The names of a record's fields, or of an object's members. */
const fields: FunctionLowering = ([record]) => {
  if (record === undefined) throw new Error('FIELDS needs a record.');
  const { type } = record;
  if (type.kind !== 'RecordType') return `json_keys(${record.sql})`;
  const names = `CAST([${type.fields.map((field) => quoteText(field.name)).join(', ')}] AS VARCHAR[])`;
  return type.isNullable ? `CASE WHEN ${record.sql} IS NOT NULL THEN ${names} END` : names;
};

/**
 * Returns whether a text contains, outside of strings, what the engine accepts and JSON does not: NaN, Infinity, a comma
 * before a closing bracket. The first two tests are cheap, and few texts reach the third.
 */
function isLenient(text: string): string {
  const comma = String.raw`,\s*[\]}]`;
  const isSuspect = `contains(lower(${text}), 'nan') OR contains(lower(${text}), 'inf') OR regexp_matches(${text}, ${quoteText(comma)})`;
  const pattern = quoteText(String.raw`(?i)(?:^|[\s:,[+-])(?:nan|inf)|${comma}`);
  const strings = quoteText(String.raw`"(\\.|[^"\\])*"`);
  return `((${isSuspect}) AND regexp_matches(${text}, ${pattern}) AND regexp_matches(regexp_replace(${text}, ${strings}, '""', 'g'), ${pattern}))`;
}

/** JSON's null is NULL. */
const parseJson = guarded((call, text) =>
  letExpression([`CASE WHEN ${isLenient(text)} THEN NULL ELSE json(TRY_CAST(${text} AS JSON)) END`], (json) => {
    const problem = call.raiseText(`concat(${quotedStart(text)}, ' is no JSON')`, call.type);
    return `CASE WHEN ${json} IS NULL THEN ${problem} WHEN ${json} <> 'null' THEN ${json} END`;
  }),
);

const TYPE_NAMES: Readonly<Record<string, string>> = {
  NULL: 'null',
  BOOLEAN: 'bool',
  BIGINT: 'long',
  VARCHAR: 'string',
  OBJECT: 'record',
  ARRAY: 'collection',
};

/** The engine's types of larger integers are UBIGINT and DOUBLE. */
const typeOf: FunctionLowering = ([value]) =>
  letExpression([value?.sql ?? 'NULL'], (json) => {
    const branches = Object.entries(TYPE_NAMES).map(([type, name]) => `WHEN ${quoteText(type)} THEN ${quoteText(name)}`);
    const isWhole = `regexp_full_match(CAST(${json} AS VARCHAR), '-?[0-9]+')`;
    const number = `CASE WHEN NOT ${isWhole} THEN 'double' WHEN TRY_CAST(${json} AS BIGINT) IS NULL THEN 'decimal' ELSE 'long' END`;
    return `CASE coalesce(json_type(${json}), 'NULL') ${branches.join(' ')} ELSE ${number} END`;
  });

/** Records and errors. */
export const RECORD_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  ENTRIES: entries,
  FIELDS: fields,
  TYPEOF: typeOf,
  PARSE_JSON: parseJson,
  PARSE_CSV: parseCsv,
  PARSE_XML: parseXml,
  ERROR: ([message], call) => call.raiseText(`coalesce(${message?.sql ?? "''"}, 'ERROR')`, call.type),
};
