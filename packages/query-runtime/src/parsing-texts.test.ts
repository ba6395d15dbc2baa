import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

/** A text as a literal of the language. */
function literal(text: string): string {
  return JSON.stringify(text);
}

const XML = [
  '<a z="1">t</a>',
  '<?xml version="1.0"?>\n<!-- c --><a z="1"><b>1</b><b>2</b><c d="x"/><e>1.5</e>text</a>\n',
  '<!DOCTYPE a [<!ENTITY e "x">]><a z="1">&lt;&#65;&#x1F600;</a>',
  '<a z="1"><![CDATA[<b>]]></a>',
  "<a z='1' y = \"a'b\"\n w='\"'/>",
  '<a z="1"><x-y.z:w _q="1">5</x-y.z:w></a>',
  '<a z="1"><b><c>1</c><c>2</c></b><b/><b><c>3</c></b></a>',
  '<a z="1"><day>2024-03-01</day><ok>true</ok><big>5000000000</big></a>',
  '<a z="1">\r\n<b>x\r\ny</b></a>',
  '<é z="1"><ü>ö</ü></é>',
  '\uFEFF<a z="1">t</a>',
];

const NO_XML = [
  '<a><![CDATA[1</a>',
  '<a><![CDATA[1]]</a>',
  '<a><?></a>',
  '<a><?x </a>',
  '',
  'x',
  '<a z="1">',
  '<a z="1"></b>',
  '<a z="1"/><a z="1"/>',
  '<a z="1"/>x',
  '<a z="1" z="2"/>',
  '<a z=1/>',
  '<a z="1>t</a>',
  '<a z="1">&nope;</a>',
  '<a z="1">a & b</a>',
  '<a z="1">a < b</a>',
  '<a z="<"/>',
  '<a z="1"><b><c></b></c></a>',
  '<a z="1">&#0;</a>',
  '<a z="1">&#xD800;</a>',
  '<a z="1"><!-- a -- b --></a>',
  '<a z="1"><![CDATA[x</a>',
  '<a z="1"><?pi </a>',
  '< a z="1"/>',
  '<1a z="1"/>',
  '<a z="1"y="2"/>',
  '<a z="1"></a',
  '</a>',
  '<a z="1">]]></a>',
  '<a z="1">\u0001</a>',
  '<a z="1"><-b/></a>',
  '<!DOCTYPE a><!DOCTYPE a><a z="1"/>',
  '<a z="1"><!DOCTYPE a></a>',
  ' <?xml version="1.0"?><a z="1"/>',
  '<a z="1"><?xml version="1.0"?></a>',
];

test.each(XML)('PARSE_XML gives of %j what READ_XML gives of a file', async (text) => {
  await at.write('x.xml', text);
  const read = ['READ_XML("file:x.xml")', `PARSE_XML(${literal(text)})`] as const;
  expect(await at.typeOf(read[1])).toBe(await at.typeOf(read[0]));
  expect(await at.run(read[1])).toEqual(await at.run(read[0]));
});

test('PARSE_XML and READ_XML agree on what is XML', async () => {
  const texts = [...XML, ...NO_XML];
  const parsed = await at.run(
    `SELECT TRY_PARSE_XML(s AS record(\`@z\`: int nullable)) IS NOT NULL FROM [${texts.map(literal).join(', ')}] s`,
  );
  const read: string[] = [];
  for (const text of texts) {
    await at.write('t.xml', text);
    read.push(...(await at.run('TRY_READ_XML("file:t.xml") IS NOT NULL')));
  }
  expect(texts.map((text, i) => [text, parsed[i]])).toEqual(texts.map((text, i) => [text, read[i]]));
  expect(read).toEqual(texts.map((_, i) => String(i < XML.length)));
});

test.each([
  'a,b\n1,x\n2,\n',
  'a;b\r\n1;"x;y"\r\n2;"say ""hi"""\r\n',
  '1\t2.5\n3\t4\n',
  'n\n1\n\n3\n',
  'a,b\n"",1\n" z ",2\n',
  'x,x,\n1,2,3\n',
  'day,at,ok\n2024-03-01,2024-03-01T10:00:00Z,true\n',
  'name\nAnn\nBob\n',
])('PARSE_CSV gives of %j what READ_CSV gives of a file', async (text) => {
  await at.write('x.csv', text);
  const read = ['READ_CSV("file:x.csv")', `PARSE_CSV(${literal(text)})`] as const;
  expect(await at.typeOf(read[1])).toBe(await at.typeOf(read[0]));
  expect(await at.run(read[1])).toEqual(await at.run(read[0]));
});

test.each(['{"a": [1, 2.5, null], "b": {"c": "x"}}', '[{"a": 1}, {"a": null, "b": true}]', '"x"', '[[1], []]', '5000000000'])(
  'PARSE_JSON gives of %j what READ_JSON gives of a file',
  async (text) => {
    await at.write('x.json', text);
    const read = ['READ_JSON("file:x.json")', `PARSE_JSON(${literal(text)})`] as const;
    expect(await at.typeOf(read[1])).toBe(await at.typeOf(read[0]));
    expect(await at.run(read[1])).toEqual(await at.run(read[0]));
  },
);

test('a constant that is no XML is found before it runs, with its place', async () => {
  expect(await at.typeOf('PARSE_XML("<a>\\n<b></a>")')).toBe('! line 2, column 8: unexpected close tag. at "<a>\\n<b></a>"');
});

test('a type that a text shows counts for the whole query', async () => {
  expect(await at.run('SELECT b FROM PARSE_XML("<a><b>1</b><b>2</b></a>").b b WHERE b > 1')).toEqual(['2']);
});

test.each(['<![CDATA[', '<?x ', '<!-- ', '<?x?>', "<a b='"])('what nothing closes costs no square of its length: %s', async (open) => {
  const before = process.cpuUsage();
  expect(await at.run(`SELECT TRY_PARSE_XML("<a>" + REPLICATE("${open}", n) AS string) FROM [20000] n`)).toEqual(['null']);
  // A quadratic algorithm took half a minute.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(8);
});

test.each([
  ['PARSE_CSV("\\0\\n1\\n")', '{"\\u0000":1}'],
  ['PARSE_JSON("{\\"a\\\\u0000b\\": 1}")', '{"a\\u0000b":1}'],
  ['SELECT t.`a\0` + 1 AS `x\0`, t AS r FROM [(`a\0`: 1, `a␀`: 2)] t ORDER BY `x\0`', '{"x\\u0000":2,"r":{"a\\u0000":1,"a␀":2}}'],
  ['CAST((`\0`: 1) AS record(`\0`: string))', '{"\\u0000":"1"}'],
])('a name may hold a NUL: %j', async (query, line) => {
  expect(await at.run(query)).toEqual([line]);
});
