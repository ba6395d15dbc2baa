import { checkPackageText, checkText, typeOrFaults } from '../testing/plain-environment.ts';

/** Checks that a constant text has the type that it spells. */
const typeOf = (text: string): string | readonly string[] => typeOrFaults(text, checkText(text));

test.each<[string, string | readonly string[]]>([
  ['PARSE_JSON("record(a: int)")', 'record(a: int)'],
  ['PARSE_XML("record(a: int)").a', 'int'],
  ['TRY_PARSE_CSV("collection(record(a: int))")', 'collection(record(a: int)) nullable'],
  ['t := "record(" || "a: int)"; PARSE_JSON(t)', 'record(a: int)'],
  ['PARSE_JSON("bad:")', ['1:12-1:18 bad:']],
  ['TRY_PARSE_JSON("bad:")', 'any nullable'],
  ['PARSE_JSON(UPPER("int"))', 'any nullable'],
  ['PARSE_JSON("int" AS string)', 'string'],
  ['PARSE_CSV(NULL)', 'any nullable'],
  ['SELECT PARSE_CSV(s AS collection(record(a: int))) FROM ["x", NULL] s', 'collection(collection(record(a: int)) nullable)'],
  ['`PARSE_JSON`("int")', ['1:1-1:13 PARSE_JSON is not declared']],
])('%s', (text, expected) => {
  expect(typeOf(text)).toEqual(expected);
});

test('with JSON a function has one type, whatever text it is called with', () => {
  expect(typeOf('f(s: string) := PARSE_JSON(s); f("int")')).toBe('any nullable');
  expect(typeOf('f(s: string) := { t := "i" || s; PARSE_JSON(t) }; f("nt")')).toBe('any nullable');
  expect(typeOf('f(s: string) := PARSE_JSON(s || PARSE_JSON("string")); f("int")')).toBe('any nullable');
});

test('other formats say in each call what they hold', () => {
  expect(typeOf('f(s: string) := PARSE_XML(s); [f("int"), f("long")]')).toBe('collection(long)');
  expect(typeOf('\\(s: string) -> PARSE_XML(s)')).toEqual(['1:17-1:29 the type must be given with AS: it cannot be found out here']);
});

test("a package's function that reads its argument as CSV needs the type", () => {
  expect(checkPackageText('f(s: string) := PARSE_CSV(s);').diagnostics.map(({ message }) => message)).toEqual([
    'the type must be given with AS: it cannot be found out here',
  ]);
});

test('a chain of values that use the one before twice is looked at once each', () => {
  const chain = Array.from({ length: 60 }, (_, i) => `x${i + 1} := UPPER(x${i}) || x${i} || x${i};`).join('\n');
  expect(typeOf(`x0 := "a";\n${chain}\nPARSE_JSON(x60)`)).toBe('any nullable');
});
