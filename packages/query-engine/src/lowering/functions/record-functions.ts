import { anyType, nullable, type RecordType, type Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { memberParts } from '../../representation/relation-layout.ts';
import { castTo, joinSql, NULL, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { FunctionLowering } from '../lowering-types.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { lowerConvert } from '../scalars/lower-convert.ts';
import { memberNamed } from '../scalars/lower-navigate.ts';
import { packRecord } from '../scalars/pack-record.ts';
import { guarded, quotedStart } from './function-parts.ts';
import { parseCsv } from './parse-csv.ts';
import { parseXml } from './parse-xml.ts';

/** The type of one entry: `record(key: string, value: T)`. */
function entryType(result: Type): RecordType {
  if (result.kind !== 'CollectionType' || result.element.kind !== 'RecordType') throw new Error('ENTRIES gives a collection of records.');
  return result.element;
}

/** Returns names and values of a record's fields, or of an object's members, in order; none for another `any`. */
const entries: FunctionLowering = ([record], call) => {
  if (record === undefined) throw new Error('ENTRIES needs a record.');
  const { type } = record;
  const entry = entryType(call.type);
  const valueType = entry.fields[1]?.type ?? nullable(anyType);
  return letExpression([record.sql], (x) => {
    if (type.kind !== 'RecordType') {
      const members = transformList(SQL`json_keys(${x})`, (key) => packRecord(entry, [key, memberNamed(x, key)]));
      return SQL`CASE WHEN ${x} IS NOT NULL THEN CASE WHEN json_type(${x}) = 'OBJECT' THEN ${members} ELSE ${castTo(SQL`[]`, duckType(call.type))} END END`;
    }
    const packed = memberParts(x, type.fields).map(({ field, expression }) =>
      packRecord(entry, [textLiteral(field.name), lowerConvert(expression, field.type, valueType)]),
    );
    return SQL`CASE WHEN ${x} IS NOT NULL THEN ${castTo(SQL`[${joinSql(packed)}]`, duckType(call.type))} END`;
  });
};

/** The names of a record's fields, or of an object's members. */
const fields: FunctionLowering = ([record]) => {
  if (record === undefined) throw new Error('FIELDS needs a record.');
  const { type } = record;
  if (type.kind !== 'RecordType') return SQL`json_keys(${record.sql})`;
  const names = castTo(SQL`[${joinSql(type.fields.map((field) => textLiteral(field.name)))}]`, 'VARCHAR[]');
  return type.isNullable ? SQL`CASE WHEN ${record.sql} IS NOT NULL THEN ${names} END` : names;
};

/**
 * Returns whether a text contains, outside of strings, what the engine accepts and JSON does not: NaN, Infinity, a comma
 * before a closing bracket. The first two tests are cheap, and few texts reach the third.
 */
function isLenient(text: Sql): Sql {
  const comma = String.raw`,\s*[\]}]`;
  const isSuspect = SQL`contains(lower(${text}), 'nan') OR contains(lower(${text}), 'inf') OR regexp_matches(${text}, ${textLiteral(comma)})`;
  const pattern = textLiteral(String.raw`(?i)(?:^|[\s:,[+-])(?:nan|inf)|${comma}`);
  const strings = textLiteral(String.raw`"(\\.|[^"\\])*"`);
  return SQL`((${isSuspect}) AND regexp_matches(${text}, ${pattern}) AND regexp_matches(regexp_replace(${text}, ${strings}, '""', 'g'), ${pattern}))`;
}

/** JSON's null is NULL. */
const parseJson = guarded((call, text) =>
  letExpression([SQL`CASE WHEN ${isLenient(text)} THEN NULL ELSE json(TRY_CAST(${text} AS JSON)) END`], (json) => {
    const problem = call.raiseText(SQL`concat(${quotedStart(text)}, ' is no JSON')`, call.type);
    return SQL`CASE WHEN ${json} IS NULL THEN ${problem} WHEN ${json} <> 'null' THEN ${json} END`;
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
  letExpression([value?.sql ?? NULL], (json) => {
    const branches = Object.entries(TYPE_NAMES).map(([type, name]) => SQL`WHEN ${textLiteral(type)} THEN ${textLiteral(name)}`);
    const isWhole = SQL`regexp_full_match(CAST(${json} AS VARCHAR), '-?[0-9]+')`;
    const number = SQL`CASE WHEN NOT ${isWhole} THEN 'double' WHEN TRY_CAST(${json} AS BIGINT) IS NULL THEN 'decimal' ELSE 'long' END`;
    return SQL`CASE coalesce(json_type(${json}), 'NULL') ${joinSql(branches, ' ')} ELSE ${number} END`;
  });

/** Records and errors. */
export const RECORD_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  ENTRIES: entries,
  FIELDS: fields,
  TYPEOF: typeOf,
  PARSE_JSON: parseJson,
  PARSE_CSV: parseCsv,
  PARSE_XML: parseXml,
  ERROR: ([message], call) => call.raiseText(SQL`coalesce(${message?.sql ?? textLiteral('')}, 'ERROR')`, call.type),
};
