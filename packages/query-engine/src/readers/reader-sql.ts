import type { FieldType } from '@svc/query-language';
import { assertNever, hasRecords } from '@svc/query-language';

import { quoteText } from '../representation/sql-text.ts';
import type { ClosedPart, RelationLayout, RelationPart } from '../representation/relation-layout.ts';
import { uniteParts } from '../representation/relation-layout.ts';
import { compressionOptions, csvRelation } from './csv-reader.ts';
import { fileColumnSql, fileList, needsFileName } from './file-columns.ts';
import { jsonRelations, type JsonColumns } from './json-reader.ts';
import { parquetFiles } from './parquet-files.ts';
import { MOST_LINE_BYTES, type ParquetPart, type ParquetReadPlan, type ReadPlan, type TextReadPlan, type ReadPart } from './read-plan.ts';

/** A relation that reads files: rows in the order of the files. */
export interface Reader {
  readonly sql: string;
  readonly layout: RelationLayout;
  /** The SELECTs that `sql` unites, for readers of fewer columns. */
  readonly parts?: readonly RelationPart[];
  /** True if each row is an element, false if the only row is the value. */
  readonly isCollection: boolean;
}

const VALUE = 'r1';

/** Returns the SQL of a plan's reader; of a record only the needed fields, `null` for all. */
export function readerSql(plan: ReadPlan, neededFields: readonly string[] | null): Reader {
  const needed = neededFields === null ? null : new Set(neededFields);
  const isNeeded = (field: FieldType): boolean => needed === null || needed.has(field.name);
  switch (plan.kind) {
    case 'csv':
      return columnsReader([csvRelation(plan, isNeeded)], true);
    case 'parquet':
      return columnsReader(
        plan.parts.map((part) => parquetRelation(plan, part, isNeeded)),
        true,
      );
    case 'text':
      return textReader(plan);
    case 'json': {
      const relations = jsonRelations(plan, isNeeded);
      if (relations.kind === 'columns') return columnsReader(relations.relations, plan.isCollection);
      return {
        sql: relations.relations.map(({ from, expression }) => `SELECT ${expression} AS ${VALUE} FROM ${from}`).join('\nUNION ALL '),
        layout: { kind: 'value', column: VALUE, type: plan.rowType },
        isCollection: plan.isCollection,
      };
    }
    default:
      return assertNever(plan);
  }
}

interface RelationOfFiles {
  readonly from: string;
  readonly columns: readonly ReadPart[];
  readonly closed?: JsonColumns['closed'];
}

function closedPart(columns: readonly ReadPart[], { from, own, others }: NonNullable<JsonColumns['closed']>): ClosedPart {
  return {
    from,
    sources: new Map(own.map((source, i) => [`r${i + 1}`, source])),
    others,
    nested: new Set(columns.flatMap(({ field }, i) => (hasRecords(field.type) ? [`r${i + 1}`] : []))),
  };
}

/** Returns the reader of records whose fields are SQL over each relation. */
export function columnsReader(relations: readonly RelationOfFiles[], isCollection: boolean): Reader {
  const parts = relations.map(({ from, columns, closed }) => ({
    from,
    ...(closed === undefined ? {} : { closed: closedPart(columns, closed) }),
    columns: new Map(columns.length === 0 ? [['r0', '1']] : columns.map(({ expression }, i) => [`r${i + 1}`, expression])),
  }));
  const fields = relations[0]?.columns ?? [];
  return {
    sql: uniteParts(parts),
    parts,
    layout: { kind: 'columns', columns: fields.map(({ field, scale }, i) => ({ name: `r${i + 1}`, field, scale })) },
    isCollection,
  };
}

function parquetRelation(plan: ParquetReadPlan, { files, columns }: ParquetPart, isNeeded: (field: FieldType) => boolean): RelationOfFiles {
  const fileColumns = plan.fileColumns.filter(({ field }) => isNeeded(field));
  // Applied to all fields, so that the rows do not depend on the needed columns.
  const unfit = plan.onError === 'skip' ? columns.flatMap(({ isUnfit }) => isUnfit ?? []) : [];
  return {
    from: `${parquetFiles(files, needsFileName(fileColumns))} AS f${unfit.length === 0 ? '' : ` WHERE NOT (${unfit.join(' OR ')})`}`,
    columns: [
      ...columns.filter(({ field }) => isNeeded(field)).map(({ field, value, scale }) => ({ field, expression: value, scale })),
      ...fileColumns.map((column) => ({ field: column.field, expression: fileColumnSql(plan, column) })),
    ],
  };
}

const TEXT_SOURCES = {
  text: { typeName: 'string', from: (files: string): string => `SELECT content AS ${VALUE} FROM read_text(${files})` },
  binary: { typeName: 'binary', from: (files: string): string => `SELECT content AS ${VALUE} FROM read_blob(${files})` },
} as const;

function textReader(plan: TextReadPlan): Reader {
  const files = fileList(plan.files);
  if (plan.unit !== 'lines') {
    const { typeName, from } = TEXT_SOURCES[plan.unit];
    const type = { kind: 'PrimitiveType', name: typeName, isNullable: false } as const;
    return { sql: from(files), layout: { kind: 'value', column: VALUE, type }, isCollection: false };
  }
  // With this line ending, and not strict, the engine accepts LF and CRLF, also mixed; an empty line is NULL. Its default
  // limit of 2 MB is too small for lines of data; a line longer than this limit fails.
  const options = [
    `auto_detect=false`,
    `header=false`,
    `strict_mode=false`,
    `max_line_size=${MOST_LINE_BYTES}`,
    `buffer_size=${3 * MOST_LINE_BYTES}`,
    `new_line='\\r\\n'`,
    `delim=e'\\x01'`,
    `quote=''`,
    `escape=''`,
    `columns={'${VALUE}': 'VARCHAR'}`,
    ...(plan.encoding === null ? [] : [`encoding=${quoteText(plan.encoding)}`]),
    ...compressionOptions(plan.compression),
    // With several threads the engine drops a last line longer than their buffer.
    ...(plan.compression === null ? [] : ['parallel=false']),
  ];
  const type = { kind: 'PrimitiveType', name: 'string', isNullable: false } as const;
  return {
    sql: `SELECT coalesce(${VALUE}, '') AS ${VALUE} FROM read_csv(${files}, ${options.join(', ')})`,
    layout: { kind: 'value', column: VALUE, type },
    isCollection: true,
  };
}
