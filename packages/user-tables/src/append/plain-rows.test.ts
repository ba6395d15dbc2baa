import { parseTableType } from '../types/table-type.ts';
import { tableColumns } from '../types/table-columns.ts';
import { CopyWriter } from './copy-writer.ts';
import { csvCells } from './csv-cells.ts';
import { jsonRowEncoder } from './encode-row.ts';
import { jsonParser } from './exact-json.ts';
import { plainCsvRow, plainJsonRow } from './plain-rows.ts';
import { csvRowEncoder } from './row-reader.ts';

const TYPES = 'byte short int long float double decimal bool string date time timestamp interval binary'.split(' ');

/** Values of all kinds for JSON or cells. Many are invalid. */
const TOKENS =
  `0 -0 1 -1 00 01 -01 1. .5 0.5 -0.5 1.0 1.00 0.10 1e3 1E400 +1 - -- . 1.2.3 127 128 -128 -129 32767 32768 2147483647 -2147483648
2147483648 999999999999999 1000000000000000 9007199254740993 9223372036854775807 123456.789012345 0.000001 4.35 1.005 3.4028236e38 5e-324 true
false TRUE null NaN Infinity nulls "" "x" "é" "a\\"b" "\\n" "\\u0000" "2024-02-29" "2023-02-29" "0001-01-01" "2024-2-9" "0000-01-01" "12:30"
"12:30:00.5" "24:00" "2024-02-29T01:02:03.5+01:00" "2024-02-29 01:02" "P1DT2H" "P" "AAEC/w==" "AAE" "1" "1.5" "true" "12345678901234567890.5"
x é 2024-02-29 12:30 P1D AAEC/w== {} [] "a,b" "a}b" \t "\t"`
    .split(/[ \n]/)
    .map((token) => token.replace('\\\\', '\\'));

function columnsOf(type: string) {
  const parsed = parseTableType(`collection(record(a: ${type}, b: ${type} nullable))`);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return tableColumns(parsed.type);
}

/** Returns what a row writer writes; null if it rejects the row. */
function written(write: (writer: CopyWriter) => boolean): string | null {
  const writer = new CopyWriter(1000);
  try {
    return write(writer) ? writer.takeRest().toString('hex') : null;
  } catch {
    return null;
  }
}

describe.each(TYPES)('rows of %s', (type) => {
  const columns = columnsOf(type);

  test('that are read from bytes are those that are read in general, in JSON', () => {
    const rows = TOKENS.flatMap((token) => [
      `{"a":${token},"b":${token}}`,
      `{"a":${token}}`,
      `{"a": ${token}, "b": null}\r`,
      `{"b":${token},"a":${token}}`,
      `{"a":${token},}`,
      `{"a":${token},"a":${token}}`,
      `{"a":${token},"b":${token}} {}`,
      `{"a":${token} ,"b":${token}}`,
      `{"a":${token},"c":1}`,
    ]);
    let plainRows = 0;
    for (const row of rows) {
      const plain = written((writer) => plainJsonRow(columns, writer)?.(Buffer.from(`x${row}y`), 1, Buffer.byteLength(row) + 1) ?? false);
      if (plain === null) continue;
      plainRows += 1;
      const general = written((writer) => (jsonRowEncoder(columns)(writer, jsonParser(columns)(row)), true));
      expect([row, plain]).toEqual([row, general]);
    }
    expect(plainRows).toBeGreaterThan(2);
  });

  test('that are read from bytes are those that are read in general, in CSV', () => {
    const header = ['b', 'a'];
    const rows = TOKENS.flatMap((token) => {
      const cell = token.replaceAll('"', '');
      return [`${cell},${cell}`, `,${cell}`, `${cell},`, `${cell}`, `${token},${token}`, `${cell},${cell},${cell}`, `${cell},${cell}\r`];
    });
    let plainRows = 0;
    for (const row of rows) {
      const plain = written(
        (writer) => plainCsvRow(columns, header, writer)?.(Buffer.from(`x${row}y`), 1, Buffer.byteLength(row) + 1) ?? false,
      );
      if (plain === null) continue;
      plainRows += 1;
      const general = written((writer) => (csvRowEncoder(columns, header, writer)(csvCells(row.replace(/\r$/, '')) ?? []), true));
      expect([row, plain]).toEqual([row, general]);
    }
    expect(plainRows).toBeGreaterThan(2);
  });
});

test('a table with nested values is read in general', () => {
  expect(plainJsonRow(columnsOf('collection(int)'), new CopyWriter(100))).toBeNull();
});
