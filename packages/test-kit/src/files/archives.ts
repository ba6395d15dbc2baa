import { crc32, deflateRawSync } from 'node:zlib';

/** A part of an archive. */
interface ArchivePart {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** The declared size, if it is a false one. */
  readonly saidBytes?: number;
}

/** An archive of deflated parts, as Excel workbooks are. */
function zipArchive(parts: readonly ArchivePart[]): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, content, saidBytes } of parts) {
    const bytes = Buffer.from(content);
    const deflated = deflateRawSync(bytes);
    // Version, flags, method, time and date, which are the same in both headers.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(deflated.length, 14);
    common.writeUInt32LE(saidBytes ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), deflated]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, rest, Buffer.from(name)]));
    bodies.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, directory, Buffer.from('PK\x05\x06'), end]);
}

/** A workbook of one sheet, with the rows and the texts that its cells share in XML. */
export function workbook(
  rows: string,
  { strings = '', saidBytes }: { readonly strings?: string; readonly saidBytes?: number } = {},
): Buffer {
  const sheet = { name: 'xl/worksheets/sheet1.xml', content: `<worksheet><sheetData>${rows}</sheetData></worksheet>` };
  return zipArchive([
    { name: 'xl/workbook.xml', content: '<workbook><sheets><sheet name="a" r:id="r1" xmlns:r="r"/></sheets></workbook>' },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    { name: 'xl/sharedStrings.xml', content: `<sst>${strings}</sst>` },
    saidBytes === undefined ? sheet : { ...sheet, saidBytes },
  ]);
}

/** A block of an Avro file: the number of values, and their compressed bytes. */
interface AvroBlock {
  readonly count: number;
  readonly bytes: Uint8Array;
}

const SYNC = Buffer.alloc(16, 7);

/** An Avro file of a schema. */
export function avroFile(schema: unknown, codec: string, blocks: readonly AvroBlock[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([avroLong(Buffer.byteLength(value)), Buffer.from(value)]);
  const meta = [avroLong(2), text('avro.schema'), text(JSON.stringify(schema)), text('avro.codec'), text(codec), avroLong(0), SYNC];
  const body = blocks.flatMap(({ count, bytes }) => [avroLong(count), avroLong(bytes.length), Buffer.from(bytes), SYNC]);
  return Buffer.concat([Buffer.from('Obj\u0001'), ...meta, ...body]);
}

/** An integer of 0 or more in zig-zag form. */
export function avroLong(value: number): Buffer {
  const bytes: number[] = [];
  let left = value * 2;
  while (left >= 128) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  return Buffer.from([...bytes, left]);
}
