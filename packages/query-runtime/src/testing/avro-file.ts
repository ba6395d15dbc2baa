/** A number as Avro writes `int` and `long`. */
export function avroLong(value: bigint | number): Buffer {
  let left = BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n));
  const bytes: number[] = [];
  while (left >= 0x80n) {
    bytes.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  return Buffer.from([...bytes, Number(left)]);
}

/** Bytes with their length before them: `bytes` and `string`. */
export function avroBytes(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([avroLong(bytes.length), bytes]);
}

/** Builds a container file with one block per list of encoded values. */
export function avroFile(schema: unknown, ...blocks: readonly (readonly Buffer[])[]): Buffer {
  const sync = Buffer.alloc(16, 0x5c);
  const meta = [avroLong(1), avroBytes('avro.schema'), avroBytes(JSON.stringify(schema)), avroLong(0)];
  const written = blocks.map((values) => {
    const content = Buffer.concat(values);
    return Buffer.concat([avroLong(values.length), avroLong(content.length), content, sync]);
  });
  return Buffer.concat([Buffer.from('Obj\u0001', 'latin1'), ...meta, sync, ...written]);
}
