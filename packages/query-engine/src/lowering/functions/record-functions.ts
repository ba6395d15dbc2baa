import { anyType, collectionOf, nullable, type RecordType, type Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { memberParts } from '../../representation/relation-layout.ts';
import { castTo, joinSql, NULL, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { FunctionLowering } from '../lowering-types.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { lowerConvert } from '../scalars/lower-convert.ts';
import { packRecord } from '../scalars/pack-record.ts';
import { guarded, quotedStart } from './function-parts.ts';
import { parseCsv } from './parse-csv.ts';
import { parseXml } from './parse-xml.ts';

/** The type of one entry: `record(key: string, value: T)`. */
function entryType(result: Type): RecordType {
  if (result.kind !== 'CollectionType' || result.element.kind !== 'RecordType') throw new Error('ENTRIES gives a collection of records.');
  return result.element;
}

/** Records with more fields become entries by way of a MAP: planning an expression for each of thousands of fields takes seconds. */
const MOST_FIELDS_BY_NAME = 100;

/** Returns names and values of a record's fields, or of an object's members, in order; none for another `any`. */
const entries: FunctionLowering = ([record], call) => {
  if (record === undefined) throw new Error('ENTRIES needs a record.');
  const { type } = record;
  const entry = entryType(call.type);
  const value = entry.fields[1]?.type ?? nullable(anyType);
  return letExpression([record.sql], (x) => {
    if (type.kind !== 'RecordType') return entriesOfObject(x, entry);
    return SQL`CASE WHEN ${x} IS NOT NULL THEN ${castTo(entriesOfRecord(x, type, value, entry), duckType(call.type))} END`;
  });
};

/** The text of a member's value is the same as of its extraction. A lambda over the names would copy the object for each of them. */
function entriesOfObject(object: Sql, entry: RecordType): Sql {
  const members = SQL`map_entries(json_transform(${object}, '"MAP(VARCHAR, JSON)"'))`;
  const packed = transformList(members, (member) =>
    packRecord(entry, [SQL`struct_extract(${member}, 'key')`, SQL`nullif(struct_extract(${member}, 'value'), 'null')`]),
  );
  const none = castTo(SQL`[]`, duckType(collectionOf(entry)));
  return SQL`CASE WHEN ${object} IS NOT NULL THEN coalesce(${packed}, ${none}) END`;
}

function entriesOfRecord(record: Sql, type: RecordType, value: Type, entry: RecordType): Sql {
  if (type.fields.length <= MOST_FIELDS_BY_NAME) {
    const packed = memberParts(record, type.fields).map(({ field, expression }) =>
      packRecord(entry, [textLiteral(field.name), lowerConvert(expression, field.type, value)]),
    );
    return SQL`[${joinSql(packed)}]`;
  }
  // A value in an `any` has a form of its own, that of its JSON text.
  if (value.kind === 'AnyType') return entriesOfObject(lowerConvert(record, type, anyType), entry);
  const values = SQL`map_values(${castTo(record, `MAP(VARCHAR, ${duckType(value)})`)})`;
  return transformList(SQL`list_zip(${namesOf(type)}, ${values})`, (pair) =>
    packRecord(entry, [SQL`struct_extract_at(${pair}, 1)`, SQL`struct_extract_at(${pair}, 2)`]),
  );
}

function namesOf(type: RecordType): Sql {
  return castTo(SQL`[${joinSql(type.fields.map((field) => textLiteral(field.name)))}]`, 'VARCHAR[]');
}

/** The names of a record's fields, or of an object's members. */
const fields: FunctionLowering = ([record]) => {
  if (record === undefined) throw new Error('FIELDS needs a record.');
  const { type } = record;
  if (type.kind !== 'RecordType') return SQL`json_keys(${record.sql})`;
  const names = namesOf(type);
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

/** JSON's null is NULL; `orElse` stands for what is no JSON. */
function parsedJson(text: Sql, orElse: Sql): Sql {
  return letExpression(
    [SQL`CASE WHEN ${isLenient(text)} THEN NULL ELSE json(TRY_CAST(${text} AS JSON)) END`],
    (json) => SQL`CASE WHEN ${json} IS NULL THEN ${orElse} WHEN ${json} <> 'null' THEN ${json} END`,
  );
}

const parseJson = guarded((call, text) => parsedJson(text, call.raiseText(SQL`concat(${quotedStart(text)}, ' is no JSON')`, call.type)));

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

/** The functions of TRY whose failure is NULL without the engine's TRY, which takes long for it. */
export const TRIED_RECORD_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  PARSE_JSON: guarded((_, text) => parsedJson(text, NULL)),
};

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
