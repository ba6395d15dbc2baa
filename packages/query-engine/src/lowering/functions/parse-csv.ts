import { collectionOf, type RecordType, string } from '@svc/query-language';

import { csvCellPattern } from '../../infer/infer-plain-text.ts';
import { duckType } from '../../representation/duck-type.ts';
import { memberNames } from '../../representation/member-names.ts';
import { quoteIdentifier, quoteText } from '../../representation/sql-text.ts';
import type { CallContext, FunctionLowering } from '../lowering-types.ts';
import { bindOnce, transformIndexed, transformList } from '../scalars/bind-once.ts';
import { castCell } from '../scalars/cast-cell.ts';
import { atPath, type ValuePath } from '../scalars/value-path.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const LINE_END = `e'\\r\\n'`;

/**
 * The rows of a CSV text. A told type says by the names of its fields whether the first line is a header; where the type was found
 * in the text, delimiter and header were too, and its fields are the columns in their order.
 */
export const parseCsv: FunctionLowering = ([text, delimiter, header], call) => {
  const { type } = call;
  if (text === undefined || type.kind !== 'CollectionType' || type.element.kind !== 'RecordType')
    throw new Error('PARSE_CSV makes records of a text.');
  const row = type.element;
  const known = typeof delimiter?.constant === 'string' ? delimiter.constant : null;
  const isByPlace = known !== null || row.fields.every((field, i) => field.name === `_${i + 1}`);
  const hasHeader = known !== null ? header?.constant === true : !isByPlace;
  return bindOnce([`regexp_replace(ltrim(${text.sql}, chr(65279)), '(\\r\\n|\\n|\\r)$', '')`], (body) =>
    bindOnce([cells(body, known)], (tokens) =>
      bindOnce([lines(tokens, call)], (rows) => records(rows, { row, isByPlace, hasHeader, call })),
    ),
  );
};

/** The cells of the text, each behind an end of line or a delimiter; what is no part of one is a token of its own. */
function cells(body: string, delimiter: string | null): string {
  const whole = `concat(e'\\n', ${body})`;
  const split = (by: string): string => `regexp_extract_all(${whole}, ${quoteText(`${csvCellPattern(by)}|(?s:.)`)})`;
  if (delimiter !== null) return split(delimiter);
  const quoted = quoteText('"(?:[^"]|"")*"');
  const firstLine = `regexp_replace(regexp_extract(ltrim(${body}, ${LINE_END}), ${quoteText('^(?:"(?:[^"]|"")*"|[^"\\r\\n])*')}), ${quoted}, '', 'g')`;
  return bindOnce(
    [
      `list_transform([${DELIMITERS.map(quoteText).join(', ')}], lambda mark: length(${firstLine}) - length(replace(${firstLine}, mark, '')))`,
    ],
    (counts) => {
      const branches = DELIMITERS.map((by, i) => `WHEN list_extract(${counts}, ${i + 1}) = list_max(${counts}) THEN ${split(by)}`);
      return `CASE ${branches.join(' ')} END`;
    },
    [body],
  );
}

/** The lines as lists of cells, NULL for an empty one; empty lines are left out, but one below the first is a cell of a lone column. */
function lines(tokens: string, call: CallContext): string {
  const isBegin = (token: string): string => `left(${token}, 1) IN (e'\\n', e'\\r')`;
  const isStray = `list_transform(${tokens}, lambda token: left(token, 1) NOT IN (e'\\n', e'\\r', ${DELIMITERS.map(quoteText).join(', ')}))`;
  const begins = `list_filter(range(1, len(${tokens}) + 1), lambda place: ${isBegin(`list_extract(${tokens}, place)`)})`;
  const problem = (stray: string): string => {
    const before = `array_to_string(list_slice(${tokens}, 1, ${stray} - 1), '')`;
    const line = `length(${before}) - length(replace(${before}, e'\\n', ''))`;
    return call.raiseText(`concat('line ', ${line}, ': a quote is not closed, or text follows a closed one')`, TABLE);
  };
  const split = bindOnce(
    [begins],
    (starts) =>
      transformIndexed(
        starts,
        (from, k) =>
          transformList(`list_slice(${tokens}, ${from}, coalesce(list_extract(${starts}, ${k} + 1), len(${tokens}) + 1) - 1)`, cell, [
            tokens,
          ]),
        [tokens],
      ),
    [tokens],
  );
  const isBlank = (line: string): string => `(len(${line}) = 1 AND list_extract(${line}, 1) IS NULL)`;
  const whole = bindOnce([split], (all) =>
    bindOnce(
      [`list_position(list_transform(${all}, lambda line: NOT ${isBlank('line')}), true)`],
      (first) =>
        `list_filter(${all}, lambda line, place: place >= ${first} AND (len(list_extract(${all}, ${first})) = 1 OR NOT ${isBlank('line')}))`,
      [all],
    ),
  );
  return bindOnce([`list_position(${isStray}, true)`], (stray) => `CASE WHEN ${stray} > 0 THEN ${problem(stray)} ELSE ${whole} END`, [
    tokens,
  ]);
}

const TABLE = collectionOf(collectionOf(string));

function cell(token: string): string {
  return bindOnce(
    [`substr(${token}, CASE WHEN starts_with(${token}, ${LINE_END}) THEN 3 ELSE 2 END)`],
    (body) =>
      `CASE WHEN starts_with(${body}, '"') THEN replace(substr(${body}, 2, length(${body}) - 2), '""', '"') ELSE nullif(${body}, '') END`,
    [token],
  );
}

interface Records {
  readonly row: RecordType;
  readonly isByPlace: boolean;
  readonly hasHeader: boolean;
  readonly call: CallContext;
}

/** Each line as a record; the position of each field's column is found once. */
function records(rows: string, { row, isByPlace, hasHeader, call }: Records): string {
  const header = `list_transform(list_extract(${rows}, 1), lambda title: coalesce(title, ''))`;
  const members = [`width := coalesce(len(list_extract(${rows}, 1)), 0)`, ...row.fields.map((_, i) => `column_${i} := ${column(i)}`)];
  function column(i: number): string {
    if (isByPlace) return `CASE WHEN len(list_extract(${rows}, 1)) > ${i} THEN ${i + 1} END`;
    const name = row.fields[i]?.name ?? '';
    const lower = `list_transform(${header}, lambda title: lower(title))`;
    return `coalesce(nullif(list_position(${header}, ${quoteText(name)}), 0), nullif(list_position(${lower}, lower(${quoteText(name)})), 0))`;
  }
  return bindOnce(
    [`struct_pack(${members.join(', ')})`],
    (at) => {
      const missing = row.fields.flatMap((field, i) => {
        if (field.type.kind === 'ErrorType' || field.type.isNullable) return [];
        const titles = isByPlace ? `concat(${at}.width, ' columns')` : `coalesce(array_to_string(${header}, ', '), 'nothing')`;
        const message = `concat(${quoteText(`there is no column ${field.name}: the first line has `)}, left(${titles}, 200))`;
        return [`WHEN ${at}.column_${i} IS NULL THEN ${call.raiseText(message, call.type)}`];
      });
      const data = hasHeader ? `list_slice(${rows}, 2, len(${rows}))` : rows;
      const list = transformIndexed(data, (line, position) => record(line, position, at), [at, rows]);
      // Of a text without lines all columns are missing, and no row.
      const isEmpty = hasHeader ? [] : [`WHEN len(${rows}) = 0 THEN CAST([] AS ${duckType(call.type)})`];
      return `CASE ${[...isEmpty, ...missing, `WHEN TRUE THEN ${list}`].join(' ')} END`;
    },
    [rows],
  );

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
