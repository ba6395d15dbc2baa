import { columnIn, memberParts, rowParts, type RelationLayout, type RowPart } from '../representation/relation-layout.ts';
import { sqlText } from '../sql/print-sql.ts';
import { SQL, textLiteral, type Sql } from '../sql/sql.ts';
import { withStreamEnd } from '../statements/stream-end.ts';
import { copyParts } from './copy-text.ts';
import { csvHeader, csvParts } from './csv-text.ts';
import { jsonParts, objectParts } from './json-text.ts';
import type { TextFormatName } from './result-format.ts';
import { concatParts, text, type TextPart } from './sql-parts.ts';

/** Line endings, by the name in the header. `windows` is as the interface specifies it. */
export const LINE_ENDINGS = { unix: '\n', windows: '\n\r' } as const;
/** A name of LINE_ENDINGS. */
export type LineEnding = keyof typeof LINE_ENDINGS;

/** A relation that is a result: of a lowered query, or of a reader. */
export interface ResultRelation {
  readonly sql: string;
  readonly layout: RelationLayout;
  /** True if each row is an element of the result, false if the only row is the result. */
  readonly isCollection: boolean;
  /** Maximum number of rows; absent if unknown. */
  readonly maxCardinality?: number;
}

/** Format of the rows. */
export interface PrintForm {
  readonly format: TextFormatName;
  /** For hjson and csv; `unix` by default. */
  readonly lineEnding?: LineEnding;
}

/** A statement whose rows are the text of the result's rows, and the framing around them. */
export interface PrintedRows {
  /** One VARCHAR column; the sentinel of a stream last, unless `isWhole`. */
  readonly sql: string;
  /** The line of `sql`, from 1, in which the relation's own SQL begins. */
  readonly firstLine: number;
  /** True if there are so few rows that they are fetched as a whole. */
  readonly isWhole: boolean;
  readonly framing: TextFraming;
}

/** Text around the rows, in characters of UTF-8. */
export interface TextFraming {
  readonly prefix: string;
  readonly suffix: string;
  /** Each row begins with a comma; that of the first is dropped. */
  readonly dropsFirstByte: boolean;
  /** True if the result can end after any row, at `maxBytes`. */
  readonly canBeCut: boolean;
}

const ALIAS = 'r';
/** Maximum number of rows of a result that is not streamed: streaming so few would take the engine more steps. */
const MOST_WHOLE_ROWS = 100;

/** Creates the statement that prints a relation in a text format. The caller has checked `unsupportedPart` before. */
export function printRows(relation: ResultRelation, { format, lineEnding = 'unix' }: PrintForm): PrintedRows {
  const { parts, framing } = PRINTERS[format](relation, LINE_ENDINGS[lineEnding]);
  const { sql, firstLine } = overRelation(SQL`SELECT ${concatParts(parts)} AS line`, relation.sql, ALIAS);
  const isWhole = relation.maxCardinality !== undefined && relation.maxCardinality <= MOST_WHOLE_ROWS;
  return { sql: isWhole ? sql : withStreamEnd(sql), firstLine, isWhole, framing };
}

/** Framing of plain lines. */
const BARE: TextFraming = { prefix: '', suffix: '', dropsFirstByte: false, canBeCut: true };

/** Creates the statement that prints each row as a line of PostgreSQL's COPY text format. */
export function printCopyRows({ sql: relationSql, layout }: Pick<ResultRelation, 'sql' | 'layout'>): PrintedRows {
  const cells = layout.kind === 'columns' ? (rowParts(layout, ALIAS) ?? []) : [valueCell(layout)];
  const line = concatParts([...copyParts(cells), text('\n')]);
  const { sql, firstLine } = overRelation(SQL`SELECT ${line} AS line`, relationSql, ALIAS);
  return { sql: withStreamEnd(sql), firstLine, isWhole: false, framing: BARE };
}

/** A SELECT over a relation, in lines of its own. */
function overRelation(items: Sql, relationSql: string, alias: string): Pick<PrintedRows, 'sql' | 'firstLine'> {
  const text = sqlText(items);
  return { sql: `${text} FROM (\n${relationSql}\n) AS ${alias}`, firstLine: text.split('\n').length + 1 };
}

/** Form of a message's row: JSON, or for PostgreSQL's COPY. */
export type MessageRowForm = 'json' | 'copy';

/** First byte of a message's line: a row follows, there is none, or it failed. */
export const MESSAGE_MARKS = { row: 'r', nothing: 'n', failed: 'f' } as const;

/** Creates the statement that prints a line for each message of a transform, whose value is a list of its row or NULL. */
export function printMessageRows({ sql: relationSql, layout }: Pick<ResultRelation, 'sql' | 'layout'>, form: MessageRowForm): PrintedRows {
  if (layout.kind !== 'value' || layout.type.kind !== 'CollectionType' || layout.type.element.kind !== 'RecordType')
    throw new Error('A transform gives a list of a record for each message.');
  const row = { ...layout.type.element, isNullable: false };
  const value = columnIn(ALIAS, 'v');
  const parts = form === 'json' ? jsonParts(value, row, 'words') : copyParts(memberParts(value, row.fields));
  const line = concatParts([text(MESSAGE_MARKS.row), ...parts, text('\n')]);
  const list = columnIn('l', layout.column);
  const { sql: listed, firstLine } = overRelation(SQL`SELECT ${list} IS NULL AS failed, list_extract(${list}, 1) AS v`, relationSql, 'l');
  const failed = textLiteral(`${MESSAGE_MARKS.failed}\n`);
  const nothing = textLiteral(`${MESSAGE_MARKS.nothing}\n`);
  const marked = SQL`CASE WHEN ${columnIn(ALIAS, 'failed')} THEN ${failed} WHEN ${value} IS NULL THEN ${nothing} ELSE ${line} END`;
  const items = sqlText(SQL`SELECT ${marked} AS line FROM (`);
  return {
    sql: withStreamEnd(`${items}${listed}) AS ${ALIAS}`),
    firstLine: items.split('\n').length - 1 + firstLine,
    isWhole: false,
    framing: BARE,
  };
}

interface Printed {
  readonly parts: readonly TextPart[];
  readonly framing: TextFraming;
}

const PRINTERS = { hjson: printHjson, json: printJson, csv: printCsv } as const satisfies Record<
  TextFormatName,
  (relation: ResultRelation, ending: string) => Printed
>;

function printHjson({ layout, isCollection }: ResultRelation, ending: string): Printed {
  return {
    parts: [...valueParts(layout), text(ending)],
    framing: { prefix: '', suffix: '', dropsFirstByte: false, canBeCut: isCollection },
  };
}

function printJson({ layout, isCollection }: ResultRelation): Printed {
  if (!isCollection) {
    return { parts: [...valueParts(layout), text('\n')], framing: { prefix: '', suffix: '', dropsFirstByte: false, canBeCut: false } };
  }
  return {
    parts: [text(','), ...valueParts(layout)],
    framing: { prefix: '[', suffix: ']\n', dropsFirstByte: true, canBeCut: true },
  };
}

function printCsv({ layout }: ResultRelation, ending: string): Printed {
  const cells = rowParts(layout, ALIAS) ?? [valueCell(layout)];
  return {
    parts: [...csvParts(cells), text(ending)],
    framing: { prefix: csvHeader(cells.map((cell) => cell.field.name)) + ending, suffix: '', dropsFirstByte: false, canBeCut: true },
  };
}

function valueParts(layout: RelationLayout): readonly TextPart[] {
  if (layout.kind === 'columns') return objectParts(rowParts(layout, ALIAS) ?? []);
  return jsonParts(columnIn(ALIAS, layout.column), layout.type);
}

/** Returns the single cell of a row that is not a record. */
function valueCell(layout: RelationLayout): RowPart {
  if (layout.kind === 'columns') throw new Error('Columns are cells of their own.');
  return { field: { name: 'value', type: layout.type }, expression: columnIn(ALIAS, layout.column) };
}
