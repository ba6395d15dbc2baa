import { collectionOf, type RecordType, string } from '@svc/query-language';

import { csvCellPattern, csvLinePattern } from '../../infer/csv-patterns.ts';
import { duckType } from '../../representation/duck-type.ts';
import { memberNames } from '../../representation/member-names.ts';
import { quoteIdentifier, quoteText } from '../../representation/sql-text.ts';
import type { CallContext, FunctionLowering } from '../lowering-types.ts';
import { castCell } from '../scalars/cast-cell.ts';
import { letExpression, transformIndexed, transformList } from '../scalars/let-expression.ts';
import { atPath, type ValuePath } from '../scalars/value-path.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const LINE_END = `e'\\r\\n'`;

/**
 * Parses the rows of a CSV text. A declared type determines by its field names whether the first line is a header; if the
 * type was inferred from the text, so were delimiter and header, and its fields are the columns in order.
 */
export const parseCsv: FunctionLowering = ([text, delimiter, header], call) => {
  const { type } = call;
  if (text === undefined || type.kind !== 'CollectionType' || type.element.kind !== 'RecordType')
    throw new Error('PARSE_CSV makes records of a text.');
  const row = type.element;
  const known = typeof delimiter?.constant === 'string' ? delimiter.constant : null;
  const isByPlace = known !== null || row.fields.every((field, i) => field.name === `_${i + 1}`);
  const hasHeader = known !== null ? header?.constant === true : !isByPlace;
  return letExpression([`regexp_replace(ltrim(${text.sql}, chr(65279)), '(\\r\\n|\\n|\\r)$', '')`], (body) =>
    letExpression([known === null ? linesBySign(body, call) : lines(body, known, call)], (rows) =>
      records(rows, { row, isByPlace, hasHeader, call }),
    ),
  );
};

/** The lines by the delimiter that the first one has most of. */
function linesBySign(body: string, call: CallContext): string {
  const quoted = quoteText('"(?:[^"]|"")*"');
  const begin = `regexp_extract(ltrim(${body}, ${LINE_END}), ${quoteText('^(?:"(?:[^"]|"")*"|[^"\\r\\n])*')})`;
  const counts = letExpression(
    [`regexp_replace(${begin}, ${quoted}, '', 'g')`],
    (line) => `[${DELIMITERS.map((by) => `length(${line}) - length(replace(${line}, ${quoteText(by)}, ''))`).join(', ')}]`,
  );
  return letExpression(
    [counts],
    (of) =>
      `CASE ${DELIMITERS.map((by, i) => `WHEN list_extract(${of}, ${i + 1}) = list_max(${of}) THEN ${lines(body, by, call)}`).join(' ')} END`,
  );
}

/**
 * Returns the lines as lists of cells, NULL for an empty one; empty lines are dropped, except that one below the first is a
 * cell of a single column. A lambda over many elements must not use an outer list, which the engine would copy for each.
 */
function lines(body: string, delimiter: string, call: CallContext): string {
  const pattern = quoteText(`${csvLinePattern(delimiter)}|(?s:.)`);
  return letExpression([`regexp_extract_all(concat(e'\\n', ${body}), ${pattern})`], (texts) => {
    const stray = `list_position(list_transform(${texts}, lambda line: left(line, 1) NOT IN (e'\\n', e'\\r')), true)`;
    return letExpression(
      [stray],
      (at) =>
        `CASE WHEN ${at} > 0 THEN ${strayText(texts, at, call)} ELSE ${withoutBlanks(transformList(texts, (line) => cells(line, delimiter)))} END`,
    );
  });
}

function strayText(texts: string, at: string, call: CallContext): string {
  const before = `array_to_string(list_slice(${texts}, 1, ${at} - 1), '')`;
  const line = `length(${before}) - length(replace(${before}, e'\\n', ''))`;
  return call.raiseText(`concat('line ', ${line}, ': a quote is not closed, or text follows a closed one')`, TABLE);
}

const TABLE = collectionOf(collectionOf(string));

/** Removes lines before the first non-empty one, and, if that has several cells, empty lines. */
function withoutBlanks(rows: string): string {
  const isBlank = `(len(line) = 1 AND list_extract(line, 1) IS NULL)`;
  return letExpression([rows], (all) =>
    letExpression([`list_position(list_transform(${all}, lambda line: NOT ${isBlank}), true)`], (first) =>
      letExpression(
        [`CASE WHEN len(list_extract(${all}, ${first})) = 1 THEN ${first} ELSE 0 END`],
        (lone) => `list_filter(${all}, lambda line, place: CASE WHEN ${lone} > 0 THEN place >= ${lone} ELSE NOT ${isBlank} END)`,
      ),
    ),
  );
}

/** Returns the cells of a line, whose leading line ending is replaced by a delimiter. */
function cells(line: string, delimiter: string): string {
  const pieces = `regexp_extract_all(concat(${quoteText(delimiter)}, substr(${line}, CASE WHEN starts_with(${line}, ${LINE_END}) THEN 3 ELSE 2 END)), ${quoteText(csvCellPattern(delimiter))})`;
  return transformList(
    pieces,
    (piece) =>
      `CASE WHEN substr(${piece}, 2, 1) = '"' THEN replace(substr(${piece}, 3, length(${piece}) - 3), '""', '"') ELSE nullif(substr(${piece}, 2), '') END`,
  );
}

interface Records {
  readonly row: RecordType;
  readonly isByPlace: boolean;
  readonly hasHeader: boolean;
  readonly call: CallContext;
}

/** Converts each line to a record; the position of each field's column is computed once. */
function records(rows: string, { row, isByPlace, hasHeader, call }: Records): string {
  const header = `list_transform(list_extract(${rows}, 1), lambda title: coalesce(title, ''))`;
  const members = [`width := coalesce(len(list_extract(${rows}, 1)), 0)`, ...row.fields.map((_, i) => `column_${i} := ${column(i)}`)];
  function column(i: number): string {
    if (isByPlace) return `CASE WHEN len(list_extract(${rows}, 1)) > ${i} THEN ${i + 1} END`;
    const name = row.fields[i]?.name ?? '';
    const lower = `list_transform(${header}, lambda title: lower(title))`;
    return `coalesce(nullif(list_position(${header}, ${quoteText(name)}), 0), nullif(list_position(${lower}, lower(${quoteText(name)})), 0))`;
  }
  return letExpression([`struct_pack(${members.join(', ')})`], (at) => {
    const missing = row.fields.flatMap((field, i) => {
      if (field.type.isNullable) return [];
      const titles = isByPlace ? `concat(${at}.width, ' columns')` : `coalesce(array_to_string(${header}, ', '), 'nothing')`;
      const message = `concat(${quoteText(`there is no column ${field.name}: the first line has `)}, left(${titles}, 200))`;
      return [`WHEN ${at}.column_${i} IS NULL THEN ${call.raiseText(message, call.type)}`];
    });
    const data = hasHeader ? `list_slice(${rows}, 2, len(${rows}))` : rows;
    const list = transformIndexed(data, (line, position) => record(line, position, at));
    // In a text without lines all columns are missing, but no row is affected.
    const isEmpty = hasHeader ? [] : [`WHEN len(${rows}) = 0 THEN CAST([] AS ${duckType(call.type)})`];
    return `CASE ${[...isEmpty, ...missing, `WHEN TRUE THEN ${list}`].join(' ')} END`;
  });

  function record(line: string, position: string, at: string): string {
    const path: ValuePath = [{ kind: 'element', position }];
    const names = memberNames(row.fields);
    const values = row.fields.map((field, i) => {
      const place = { call, path: [...path, { kind: 'member', name: field.name }] as const };
      return `${quoteIdentifier(names[i] ?? '')} := ${castCell(`list_extract(${line}, ${at}.column_${i})`, field.type, place)}`;
    });
    const count = atPath(path, [`'expected '`, `${at}.width`, `' cells but got '`, `len(${line})`]);
    const packed = values.length === 0 ? 'TRUE' : `struct_pack(${values.join(', ')})`;
    return `CASE WHEN len(${line}) <> ${at}.width THEN ${call.raiseText(count, row)} ELSE ${packed} END`;
  }
}
