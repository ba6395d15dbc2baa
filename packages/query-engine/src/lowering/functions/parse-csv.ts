import { collectionOf, type RecordType, string } from '@svc/query-language';
import { csvCellPattern, csvLinePattern } from '@svc/text-formats';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, memberOf, SQL, textLiteral, variableRef, type Sql } from '../../sql/sql.ts';
import type { CallContext, FunctionLowering } from '../lowering-types.ts';
import { castCell } from '../scalars/cast-cell.ts';
import { letExpression, transformIndexed, transformList } from '../scalars/let-expression.ts';
import { packRecord } from '../scalars/pack-record.ts';
import { atPath, type ValuePath } from '../scalars/value-path.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const LINE_END = SQL`e'\\r\\n'`;

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
  return letExpression([SQL`regexp_replace(ltrim(${text.sql}, chr(65279)), '(\\r\\n|\\n|\\r)$', '')`], (body) =>
    letExpression([known === null ? linesBySign(body, call) : lines(body, known, call)], (rows) =>
      records(rows, { row, isByPlace, hasHeader, call }),
    ),
  );
};

/** The lines by the delimiter that the first one has most of. */
function linesBySign(body: Sql, call: CallContext): Sql {
  const quoted = textLiteral('"(?:[^"]|"")*"');
  const begin = SQL`regexp_extract(ltrim(${body}, ${LINE_END}), ${textLiteral('^(?:"(?:[^"]|"")*"|[^"\\r\\n])*')})`;
  const counts = letExpression(
    [SQL`regexp_replace(${begin}, ${quoted}, '', 'g')`],
    (line) => SQL`[${joinSql(DELIMITERS.map((by) => SQL`length(${line}) - length(replace(${line}, ${textLiteral(by)}, ''))`))}]`,
  );
  return letExpression(
    [counts],
    (of) =>
      SQL`CASE ${joinSql(
        DELIMITERS.map((by, i) => SQL`WHEN list_extract(${of}, ${i + 1}) = list_max(${of}) THEN ${lines(body, by, call)}`),
        ' ',
      )} END`,
  );
}

/**
 * Returns the lines as lists of cells, NULL for an empty one; empty lines are dropped, except that one below the first is a
 * cell of a single column. A lambda over many elements must not use an outer list, which the engine would copy for each.
 */
function lines(body: Sql, delimiter: string, call: CallContext): Sql {
  const pattern = textLiteral(`${csvLinePattern(delimiter)}|(?s:.)`);
  return letExpression([SQL`regexp_extract_all(concat(e'\\n', ${body}), ${pattern})`], (texts) => {
    const stray = SQL`list_position(list_transform(${texts}, lambda line: left(line, 1) NOT IN (e'\\n', e'\\r')), true)`;
    return letExpression(
      [stray],
      (at) =>
        SQL`CASE WHEN ${at} > 0 THEN ${strayText(texts, at, call)} ELSE ${withoutBlanks(transformList(texts, (line) => cells(line, delimiter)))} END`,
    );
  });
}

function strayText(texts: Sql, at: Sql, call: CallContext): Sql {
  const before = SQL`array_to_string(list_slice(${texts}, 1, ${at} - 1), '')`;
  const line = SQL`length(${before}) - length(replace(${before}, e'\\n', ''))`;
  return call.raiseText(SQL`concat('line ', ${line}, ': a quote is not closed, or text follows a closed one')`, TABLE);
}

const TABLE = collectionOf(collectionOf(string));

/** Removes lines before the first non-empty one, and, if that has several cells, empty lines. */
function withoutBlanks(rows: Sql): Sql {
  const isBlank = SQL`(len(line) = 1 AND list_extract(line, 1) IS NULL)`;
  return letExpression([rows], (all) =>
    letExpression([SQL`list_position(list_transform(${all}, lambda line: NOT ${isBlank}), true)`], (first) =>
      letExpression(
        [SQL`CASE WHEN len(list_extract(${all}, ${first})) = 1 THEN ${first} ELSE 0 END`],
        (lone) => SQL`list_filter(${all}, lambda line, place: CASE WHEN ${lone} > 0 THEN place >= ${lone} ELSE NOT ${isBlank} END)`,
      ),
    ),
  );
}

/** Returns the cells of a line, whose leading line ending is replaced by a delimiter. */
function cells(line: Sql, delimiter: string): Sql {
  const pieces = SQL`regexp_extract_all(concat(${textLiteral(delimiter)}, substr(${line}, CASE WHEN starts_with(${line}, ${LINE_END}) THEN 3 ELSE 2 END)), ${textLiteral(csvCellPattern(delimiter))})`;
  return transformList(
    pieces,
    (piece) =>
      SQL`CASE WHEN substr(${piece}, 2, 1) = '"' THEN replace(substr(${piece}, 3, length(${piece}) - 3), '""', '"') ELSE nullif(substr(${piece}, 2), '') END`,
  );
}

interface Records {
  readonly row: RecordType;
  readonly isByPlace: boolean;
  readonly hasHeader: boolean;
  readonly call: CallContext;
}

/** Converts each line to a record; the position of each field's column is computed once. */
function records(rows: Sql, { row, isByPlace, hasHeader, call }: Records): Sql {
  const header = SQL`list_transform(list_extract(${rows}, 1), lambda title: coalesce(title, ''))`;
  const members = [
    SQL`width := coalesce(len(list_extract(${rows}, 1)), 0)`,
    ...row.fields.map((_, i) => SQL`${variableRef(`column_${i}`)} := ${column(i)}`),
  ];
  function column(i: number): Sql {
    if (isByPlace) return SQL`CASE WHEN len(list_extract(${rows}, 1)) > ${i} THEN ${i + 1} END`;
    const name = row.fields[i]?.name ?? '';
    const lower = SQL`list_transform(${header}, lambda title: lower(title))`;
    return SQL`coalesce(nullif(list_position(${header}, ${textLiteral(name)}), 0), nullif(list_position(${lower}, lower(${textLiteral(name)})), 0))`;
  }
  return letExpression([SQL`struct_pack(${joinSql(members)})`], (at) => {
    const missing = row.fields.flatMap((field, i) => {
      if (field.type.isNullable) return [];
      const titles = isByPlace
        ? SQL`concat(${memberOf(at, 'width')}, ' columns')`
        : SQL`coalesce(array_to_string(${header}, ', '), 'nothing')`;
      const message = SQL`concat(${textLiteral(`there is no column ${field.name}: the first line has `)}, left(${titles}, 200))`;
      return [SQL`WHEN ${memberOf(at, `column_${i}`)} IS NULL THEN ${call.raiseText(message, call.type)}`];
    });
    const data = hasHeader ? SQL`list_slice(${rows}, 2, len(${rows}))` : rows;
    const list = transformIndexed(data, (line, position) => record(line, position, at));
    // In a text without lines all columns are missing, but no row is affected.
    const isEmpty = hasHeader ? [] : [SQL`WHEN len(${rows}) = 0 THEN ${castTo(SQL`[]`, duckType(call.type))}`];
    return SQL`CASE ${joinSql([...isEmpty, ...missing, SQL`WHEN TRUE THEN ${list}`], ' ')} END`;
  });

  function record(line: Sql, position: Sql, at: Sql): Sql {
    const path: ValuePath = [{ kind: 'element', position }];
    const values = row.fields.map((field, i) => {
      const place = { call, path: [...path, { kind: 'member', name: field.name }] as const };
      return castCell(SQL`list_extract(${line}, ${memberOf(at, `column_${i}`)})`, field.type, place);
    });
    const count = atPath(path, [SQL`'expected '`, memberOf(at, 'width'), SQL`' cells but got '`, SQL`len(${line})`]);
    return SQL`CASE WHEN len(${line}) <> ${memberOf(at, 'width')} THEN ${call.raiseText(count, row)} ELSE ${packRecord(row, values)} END`;
  }
}
