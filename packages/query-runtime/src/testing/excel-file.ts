import { crc32 } from 'node:zlib';

export interface Sheets {
  /** The XML of the rows of each sheet, by its name, in order. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The formats that styles 1, 2, … have: the number of one that is built in, or a code. */
  readonly formats?: readonly (number | string)[];
  /** The XML of the texts that cells share. */
  readonly strings?: readonly string[];
  /** Days are counted from 1904. */
  readonly is1904?: boolean;
}

/** A workbook as Excel writes it, its archive not compressed. */
export function excelFile({ sheets, formats = [], strings = [], is1904 = false }: Sheets): Buffer {
  const names = Object.keys(sheets);
  const list = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('');
  const relations = names.map((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`).join('');
  const codes = formats.map((format, i) => (typeof format === 'string' ? `<numFmt numFmtId="${164 + i}" formatCode="${format}"/>` : ''));
  const styles = [0, ...formats].map((format, i) => `<xf numFmtId="${typeof format === 'string' ? 163 + i : format}"/>`);
  const space = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  return zipOf({
    'xl/workbook.xml': `<workbook ${space}><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${list}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      names.map((name, i) => [`xl/worksheets/sheet${i + 1}.xml`, `<worksheet><sheetData>${sheets[name] ?? ''}</sheetData></worksheet>`]),
    ),
  });
}

/** Builds an archive with uncompressed parts. */
function zipOf(parts: Readonly<Record<string, string>>): Buffer {
  const [files, entries]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const common = numbers(
      [20, 2],
      [0x0800, 2],
      [0, 2],
      [0, 4],
      [crc32(content), 4],
      [content.length, 4],
      [content.length, 4],
      [name.length, 2],
    );
    const file = Buffer.concat([numbers([0x04034b50, 4]), common, numbers([0, 2]), Buffer.from(name), content]);
    entries.push(
      Buffer.concat([
        numbers([0x02014b50, 4], [20, 2]),
        common,
        numbers([0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
        Buffer.from(name),
      ]),
    );
    files.push(file);
    offset += file.length;
  }
  const directory = Buffer.concat(entries);
  const end = numbers([0x06054b50, 4], [0, 4], [entries.length, 2], [entries.length, 2], [directory.length, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...files, directory, end]);
}

/** Encodes little-endian numbers of the given sizes in bytes. */
function numbers(...all: readonly (readonly [value: number, size: number])[]): Buffer {
  return Buffer.concat(
    all.map(([value, size]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );
}
