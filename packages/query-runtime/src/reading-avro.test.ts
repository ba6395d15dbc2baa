import { avroBytes, avroFile, avroLong } from './testing/avro-file.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

const int = avroLong;
const logical = (type: string, logicalType: string, more: object = {}): object => ({ type, logicalType, ...more });
const fixed = (size: number, more: object = {}): object => ({ type: 'fixed', name: 'f', size, ...more });
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const record = (name: string, fields: Readonly<Record<string, unknown>>): object => ({
  type: 'record',
  name,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
});
const branch = (n: number, value: Buffer = Buffer.alloc(0)): Buffer => Buffer.concat([int(n), value]);

/** The type of field `v` of a file with these values, and the values. */
async function readAll(schema: unknown, values: readonly Buffer[]): Promise<readonly string[]> {
  await at.write('v.avro', avroFile(record('r', { v: schema }), values));
  const query = 'SELECT v FROM READ("file:v.avro")';
  const lines = (await at.run(query)).map((line) => line.replace(/ at READ[\s\S]*$/, ''));
  return [(await at.typeOf(query)).replace(/^collection\((.*)\)$/, '$1'), ...lines];
}

describe('primitives at their ends', () => {
  test.each([
    ['boolean', [hex('00'), hex('01')], ['bool', 'false', 'true']],
    ['int', [int(-2_147_483_648), int(2_147_483_647)], ['int', '-2147483648', '2147483647']],
    ['long', [int(-(2n ** 63n)), int(2n ** 63n - 1n)], ['long', '-9223372036854775808', '9223372036854775807']],
    ['float', [float(1.5), float(NaN), float(3.4028234663852886e38)], ['float', '1.5', 'null', '3.4028235e+38']],
    ['double', [double(-0.1), double(Infinity), double(5e-324)], ['double', '-0.1', 'null', '5e-324']],
    ['string', [avroBytes(''), avroBytes('é\u0000"\\\n')], ['string', '""', '"é\\u0000\\"\\\\\\n"']],
    ['bytes', [avroBytes(''), avroBytes(hex('00ff'))], ['binary', '""', '"AP8="']],
  ])('%s', async (schema, values, expected) => {
    expect(await readAll(schema, values)).toEqual(expected);
  });
});

const MOMENT = 1_704_164_645_678n;

describe('logical types', () => {
  test.each([
    [logical('int', 'date'), [int(0), int(-719_163), int(2_147_483_646)], ['date', '"1970-01-01"', '"0000-12-31"', '"5881580-07-10"']],
    [logical('int', 'time-millis'), [int(0), int(86_399_999)], ['time', '"00:00:00.000"', '"23:59:59.999"']],
    [logical('long', 'time-micros'), [int(1), int(86_399_999_999n)], ['time', '"00:00:00.000001"', '"23:59:59.999999"']],
    [logical('long', 'timestamp-millis'), [int(MOMENT), int(-1)], ['timestamp', '"2024-01-02T03:04:05.678"', '"1969-12-31T23:59:59.999"']],
    [
      logical('long', 'timestamp-micros'),
      [int(MOMENT * 1000n + 1n), int(-(2n ** 55n)), int(2n ** 63n - 2n)],
      ['timestamp', '"2024-01-02T03:04:05.678001"', '"0828-04-17T00:49:41.036032"', '"294247-01-10T04:00:54.775806"'],
    ],
    [logical('long', 'timestamp-nanos'), [int(MOMENT * 1_000_000n + 999n)], ['timestamp', '"2024-01-02T03:04:05.678"']],
    [logical('long', 'local-timestamp-millis'), [int(MOMENT)], ['timestamp', '"2024-01-02T03:04:05.678"']],
    [logical('long', 'local-timestamp-micros'), [int(MOMENT * 1000n)], ['timestamp', '"2024-01-02T03:04:05.678"']],
    [
      logical('bytes', 'decimal', { precision: 10, scale: 2 }),
      [avroBytes(hex('04d2')), avroBytes(hex('fb2e')), avroBytes('')],
      ['decimal', '12.34', '-12.34', '0'],
    ],
    [
      fixed(16, { logicalType: 'decimal', precision: 38, scale: 18 }),
      [hex('4b3b4ca85a86c47a098a223fffffffff')],
      ['decimal', '99999999999999999999.999999999999999999'],
    ],
    [logical('string', 'uuid'), [avroBytes('00000000-0000-0000-0000-00000000000a')], ['string', '"00000000-0000-0000-0000-00000000000a"']],
    [fixed(16, { logicalType: 'uuid' }), [hex('00112233445566778899aabbccddeeff')], ['string', '"00112233-4455-6677-8899-aabbccddeeff"']],
    [fixed(12, { logicalType: 'duration' }), [hex('010000000200000003000000')], ['binary', '"AQAAAAIAAAADAAAA"']],
    [logical('int', 'of-nobody'), [int(5)], ['int', '5']],
  ])('%j', async (schema, values, expected) => {
    expect(await readAll(schema, values)).toEqual(expected);
  });

  test.each([
    [logical('int', 'time-millis'), int(86_400_000), '! file:v.avro: block 1: value 1 of 1: a time is none of a day'],
    [logical('long', 'time-micros'), int(-1), '! file:v.avro: block 1: value 1 of 1: a time is none of a day'],
    [logical('long', 'timestamp-millis'), int(2n ** 62n), '! file:v.avro: block 1: value 1 of 1: a date is past the last that there is'],
    [logical('long', 'timestamp-millis'), int(2n ** 54n), "! file:v.avro: value 1: v: '572823-07-25T17:58:01.984' is no timestamp"],
    [logical('int', 'date'), int(2_147_483_647), '! file:v.avro: block 1: value 1 of 1: a date is past the last that there is'],
    [
      logical('bytes', 'decimal', { precision: 40, scale: 0 }),
      avroBytes(hex(`00${'ff'.repeat(16)}`)),
      "! file:v.avro: value 1: v: '340282366920938463463374607431768211455' is no decimal",
    ],
  ])('%j that the language cannot hold is an error', async (schema, value, message) => {
    expect((await readAll(schema, [value]))[1]).toBe(message);
  });
});

describe('what is made of others', () => {
  test.each([
    [
      ['null', 'int'],
      [branch(0), branch(1, int(7))],
      ['int nullable', 'null', '7'],
    ],
    [
      ['string', 'null'],
      [branch(0, avroBytes('x')), branch(1)],
      ['string nullable', '"x"', 'null'],
    ],
    [['int'], [branch(0, int(7))], ['int', '7']],
    [['null'], [branch(0)], ['any nullable', 'null']],
    [
      ['int', 'string'],
      [branch(0, int(7)), branch(1, avroBytes('x'))],
      ['any', '7', '"x"'],
    ],
    [
      ['null', 'boolean', logical('long', 'timestamp-millis'), logical('int', 'date')],
      [branch(0), branch(1, hex('01')), branch(2, int(MOMENT)), branch(3, int(0))],
      ['any nullable', 'null', 'true', '"2024-01-02T03:04:05.678"', '"1970-01-01"'],
    ],
    [{ type: 'enum', name: 'e', symbols: ['A', 'B'] }, [int(1), int(0)], ['string', '"B"', '"A"']],
    [
      ['null', { type: 'enum', name: 'e', symbols: ['A'] }],
      [branch(1, int(0)), branch(0)],
      ['string nullable', '"A"', 'null'],
    ],
    [fixed(2), [hex('00ff')], ['binary', '"AP8="']],
    [
      { type: 'array', items: ['null', 'int'] },
      [Buffer.concat([int(2), branch(0), branch(1, int(3)), int(0)]), int(0)],
      ['collection(int nullable)', '[null,3]', '[]'],
    ],
    [
      { type: 'array', items: { type: 'array', items: 'int' } },
      [Buffer.concat([int(2), int(1), int(5), int(0), int(0), int(0)])],
      ['collection(collection(int))', '[[5],[]]'],
    ],
    [
      { type: 'map', values: ['null', logical('int', 'date')] },
      [Buffer.concat([int(2), avroBytes('a'), branch(0), avroBytes('a'), branch(1, int(1)), int(0)])],
      ['collection(record(key: string, value: date nullable))', '[{"key":"a","value":null},{"key":"a","value":"1970-01-02"}]'],
    ],
    [
      ['null', record('p', { x: 'int', in: record('q', { y: ['null', 'string'] }) })],
      [branch(0), branch(1, Buffer.concat([int(1), branch(1, avroBytes('z'))])), branch(1, Buffer.concat([int(2), branch(0)]))],
      ['record(x: int, `in`: record(y: string nullable)) nullable', 'null', '{"x":1,"in":{"y":"z"}}', '{"x":2,"in":{"y":null}}'],
    ],
  ])('%j', async (schema, values, expected) => {
    expect(await readAll(schema, values)).toEqual(expected);
  });

  it('is read of a file without values, and of blocks without', async () => {
    await at.write('none.avro', avroFile(record('r', { v: 'int' })));
    await at.write('some.avro', avroFile(record('r', { v: 'int' }), [], [int(1)], [], [int(2), int(3)]));
    await at.write('plain.avro', avroFile('long', [int(1), int(2)]));
    expect(await at.typeOf('READ("file:none.avro")')).toBe('collection(record(v: int))');
    expect(await at.run('READ("file:none.avro")')).toEqual([]);
    expect(await at.run('SELECT v FROM READ("file:some.avro")')).toEqual(['1', '2', '3']);
    expect(await at.run('READ("file:plain.avro")')).toEqual(['1', '2']);
  });

  it('of several files is of the type that holds both', async () => {
    await at.write('w/n/1.avro', avroFile(record('r', { v: 'int' }), [int(1)]));
    await at.write('w/n/2.avro', avroFile(record('r', { v: ['null', 'double'] }), [branch(1, double(2.5)), branch(0)]));
    await at.write('w/3.avro', avroFile(record('r', { v: 'string' }), [avroBytes('x')]));
    expect(await at.typeOf('READ("file:w/n/*.avro")')).toBe('collection(record(v: double nullable))');
    expect(await at.run('SELECT v FROM READ("file:w/n/*.avro")')).toEqual(['1.0', '2.5', 'null']);
    expect(await at.run('READ("file:w/**/*.avro")')).toEqual([
      '! file:w/**/*.avro: file:w/n/1.avro is record(v: int), and others are not at READ("file:w/**/*.avro")',
    ]);
  });
});
