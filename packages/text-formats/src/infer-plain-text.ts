import type { TextAnswer } from '@svc/query-language';

import { CellShape } from './csv/cell-shape.ts';
import { csvCellPattern, csvLinePattern } from './csv/csv-patterns.ts';
import { sniffCsvText } from './csv/sniff-csv.ts';
import { MalformedJson, scanDocument } from './json/json-scanner.ts';
import { emptyShape, shapeType } from './json/json-shape.ts';
import { READ_MESSAGES } from './read-messages.ts';

/** Infers the type of a constant text of a query, or returns why it is not a text of the format. */
export function inferPlainText(format: 'json' | 'csv', text: string): TextAnswer {
  return format === 'csv' ? inferCsvText(text) : inferJson(text);
}

function inferJson(text: string): TextAnswer {
  try {
    const shape = emptyShape();
    scanDocument(Buffer.from(text), shape);
    return { type: shapeType(shape, { isSampled: false }) };
  } catch (thrown) {
    if (!(thrown instanceof MalformedJson)) throw thrown;
    const before = Buffer.from(text)
      .subarray(0, thrown.byte - 1)
      .toString()
      .split('\n');
    return {
      problem: `line ${before.length}, column ${[...(before.at(-1) ?? '')].length + 1}: ${READ_MESSAGES.malformedJson(thrown.message)}`,
    };
  }
}

function inferCsvText(text: string): TextAnswer {
  const { dialect, names } = sniffCsvText(text, { quote: '"', isWhole: true });
  if (text.trim() === '') return { problem: 'there is no line in the text' };
  const shapes = names.map(() => new CellShape());
  const records = csvRecords(text, dialect.delimiter, names.length);
  for (const record of records.slice(dialect.hasHeader ? 1 : 0)) {
    for (const [i, shape] of shapes.entries()) shape.add(record[i] ?? null);
  }
  const fields = names.map((name, i) => ({ name, type: (shapes[i] ?? new CellShape()).type({ isSampled: false }) }));
  return {
    type: { kind: 'CollectionType', element: { kind: 'RecordType', fields, isNullable: false }, isNullable: false },
    dialect: { delimiter: dialect.delimiter, hasHeader: dialect.hasHeader },
  };
}

/** The cells of each line that is not empty; of one column, an empty line below the first is an empty cell. */
function csvRecords(text: string, delimiter: string, width: number): readonly (readonly (string | null)[])[] {
  const whole = `\n${text.replace(/^\uFEFF/, '').replace(/(\r\n|\n|\r)$/, '')}`;
  const cell = new RegExp(csvCellPattern(delimiter), 'g');
  const records = [...whole.matchAll(new RegExp(csvLinePattern(delimiter), 'g'))].map(([line]) =>
    [...line.replace(/^(\r\n|\n|\r)/, delimiter).matchAll(cell)].map(([piece]) => {
      const body = piece.slice(1);
      return body.startsWith('"') ? body.slice(1, -1).replaceAll('""', '"') : body === '' ? null : body;
    }),
  );
  const isBlank = ([first, second]: readonly (string | null)[]): boolean => first === null && second === undefined;
  const begin = records.findIndex((record) => !isBlank(record));
  return width > 1 ? records.filter((record) => !isBlank(record)) : records.slice(Math.max(0, begin));
}
