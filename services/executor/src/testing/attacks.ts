/** A query that tries to get what it must not have, or to harm the process. */
export interface Attack {
  /** Shown in docs/security.md. */
  readonly what: string;
  /** `{root}`, `{spool}` and `{outside}` stand for folders of the server. */
  readonly query: string;
  /** The whole answer of a query that may be answered, or what its failure has to say. */
  readonly expected: string | RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  /** What stands after the path of the URL. */
  readonly search?: string;
}

const NOTHING_THERE = /^path not found: /;
const PEOPLE = '1\n2\n';

const read = (what: string, location: string, expected: string | RegExp = NOTHING_THERE): Attack => ({
  what,
  query: `SELECT n FROM READ("${location}")`,
  expected,
});

const PATHS: readonly Attack[] = [
  read('a folder up', 'file:../outside/secret.csv'),
  read('a folder up behind a file', 'file:people.csv/../../outside/secret.csv'),
  read('many folders up', `file:${'../'.repeat(40)}etc/passwd`),
  read('down and up again', 'file:folder/../people.csv'),
  read('an absolute path', 'file:/etc/passwd'),
  read('an absolute path with slashes', 'file:///etc/passwd'),
  read('an absolute path beside the root, of the same beginning', 'file:{root}-beside/secret.csv'),
  read('an absolute path that leaves the root', 'file:{root}/../outside/secret.csv'),
  read('a link to a file outside', 'file:link.csv'),
  read('a link to a folder outside', 'file:link/secret.csv'),
  read('a link to itself', 'file:circle.csv'),
  read('%2e', 'file:%2e%2e/outside/secret.csv'),
  read('%2f', 'file:..%2foutside%2fsecret.csv'),
  read('%252e', 'file:%252e%252e/outside/secret.csv'),
  read('dots that only look so', 'file:\uff0e\uff0e/outside/secret.csv'),
  read('backslashes', String.raw`file:..\\outside\\secret.csv`),
  read('/proc/self/environ', 'file:/proc/self/environ'),
  read('/proc/self/root', 'file:/proc/self/root/etc/passwd'),
  read('/proc/self/fd', 'file:/proc/self/fd/0'),
  read('/dev/stdin', 'file:/dev/stdin'),
  read('/dev/zero', 'file:/dev/zero'),
  read('a share of another machine', String.raw`file:\\\\server\\share\\secret.csv`),
  read('a share, with slashes', 'file://server/share/secret.csv'),
  read('NUL', String.raw`file:people.csv\0.png`),
  read('NUL and a folder up', String.raw`file:\0../outside/secret.csv`),
  read('a line break', String.raw`file:people.csv\n/etc/passwd`),
  read('a name of 30,000 characters', `file:${'a'.repeat(30_000)}`),
  read('a glob outside', 'file:../*/*.csv'),
  read('an absolute glob', 'file:/etc/*'),
  read('a glob over links', 'file:link/*'),
  read('a glob through all folders', 'file:**/secret.csv'),
  read('a glob of other tools', 'file:{people,x}.csv'),
  read('a class of other tools', 'file:[p]eople.csv'),
  read('a name that is a class of the engine', 'file:a[b].csv', '5\n'),
  read('a hidden file by a glob', 'file:*/hidden.csv'),
  read('a pipe that nobody writes', 'file:pipe.csv'),
  read('a folder as a file', 'file:folder'),
  read('another case', 'file:PEOPLE.csv'),
  read('another case of the scheme', 'FILE:people.csv', PEOPLE),
  read('an option of a URL', 'file:people.csv?x=/etc/passwd'),
  read('a place in a URL', 'file:people.csv#/etc/passwd'),
  read('a user in a URL', 'file://root@localhost/etc/passwd'),
  read('a list of files', 'file:people.csv,/etc/passwd'),
  read('a list of the engine', "file:people.csv', '/etc/passwd"),
  read('a name that holds a statement', `file:it's; SELECT.csv`, PEOPLE),
  { what: 'a listing outside', query: 'LS("file:..")', expected: NOTHING_THERE },
  { what: 'a listing of the machine', query: 'LS("file:/")', expected: NOTHING_THERE },
  { what: 'a listing through a link', query: 'LL("file:link/")', expected: NOTHING_THERE },
  { what: 'a description outside', query: 'DESCRIBE("file:/etc/passwd")', expected: /path not found|no function/ },
];

const SPOOL: readonly Attack[] = [
  read("another's copy, by its path", 'file:{spool}/copies/{copy}'),
  read("another's copies, by a glob", 'file:{spool}/copies/*'),
  read('what engines spill', 'file:{spool}/spill-*/*'),
  read('the spool, from the root', 'file:../{spoolName}/copies/*'),
  { what: 'a listing of the spool', query: 'LL("file:{spool}")', expected: NOTHING_THERE },
];

const LOCATIONS: readonly Attack[] = [
  ...[
    'sqlite:{outside}/x.db',
    'duckdb:{outside}/x.db',
    'hf://datasets/a/b.csv',
    'data:text/csv,n',
    'gcs://a/b',
    'az://a/b',
    'people.csv',
    '',
  ].map((location) => read(`the location ${location.replace(/\{.*/, '…') || 'that is empty'}`, location, /is not a location/)),
  read('a statement as a location', "file:x'); ATTACH '/etc/passwd' AS p; --"),
  read('a table function as a location', "read_text('/etc/passwd')", /is not a location/),
];

const refused = (query: string): Attack => ({ what: `\`${query}\``, query, expected: /./ });

const SMUGGLED: readonly Attack[] = [
  ...[
    'SET threads = 1',
    'PRAGMA database_list',
    "ATTACH '/etc/passwd' AS p",
    'INSTALL httpfs',
    "COPY (SELECT 1) TO '/tmp/x.csv'",
    '1; DROP TABLE x',
    'SELECT * FROM duckdb_settings()',
    'SELECT * FROM duckdb_secrets()',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM sqlite_master',
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    'SELECT * FROM `/etc/passwd`',
    "SELECT * FROM glob('/*')",
    "SELECT * FROM query('SELECT 1')",
    'getenv("HOME")',
    'current_setting("temp_directory")',
    'getvariable("x")',
    '`read_text`("/etc/passwd")',
    'read_blob("/etc/passwd")',
    'version()',
    'SELECT rowid FROM READ("file:people.csv")',
    'SELECT filename FROM READ("file:people.csv")',
    'SELECT COLUMNS("n") FROM READ("file:people.csv")',
    'SELECT * FROM READ_CSV("file:people.csv", filename := true)',
    'READ("file:people.csv", auto_detect := false, columns := {x: "1"})',
    'READ_CSV("file:people.csv", delimiter := ",\', filename=\'/etc/passwd")',
    'READ_CSV("file:people.csv", encoding := "x\'); --")',
    'READ_CSV("file:people.csv", skip := -1)',
    'READ_CSV("file:people.csv", sample_size := "1, filename=1")',
  ].map(refused),
  {
    what: 'a string that ends the statement',
    query: `"'); ATTACH '/etc/passwd' AS p; --"`,
    expected: `"'); ATTACH '/etc/passwd' AS p; --"\n`,
  },
  { what: 'a string of quotes', query: String.raw`"\"'\"''$$\\"`, expected: `${String.raw`"\"'\"''$$\\"`}\n` },
  {
    what: 'a name that ends the statement',
    query: "SELECT 1 AS `x\" FROM read_text('/etc/passwd') --` FROM [1]",
    expected: `${JSON.stringify({ [`x" FROM read_text('/etc/passwd') --`]: 1 })}\n`,
  },
  {
    what: 'a column of a file that ends the statement',
    query: 'SELECT * FROM READ("file:names.csv")',
    expected: `${JSON.stringify({ '"; DROP TABLE x; --': 1, "'); SELECT 1": 2 })}\n`,
  },
  {
    what: 'an argument that ends the statement',
    query: '\\(x: string) -> x',
    search: `?x=${encodeURIComponent("'); ATTACH '/etc/passwd' AS p; --")}`,
    expected: `"'); ATTACH '/etc/passwd' AS p; --"\n`,
  },
  {
    what: 'a folder whose key and value end the statement',
    query: 'READ("file:keys/*/a.csv")',
    expected: `${JSON.stringify({ n: 3, '"); DROP': "' OR 1=1 --" })}\n`,
  },
  { what: 'an element that ends the statement', query: `READ_XML("file:laughs.xml", row_tag := "'); SELECT 1 --")`, expected: /./ },
  { what: 'a sheet that ends the statement', query: `READ_EXCEL("file:right.xlsx", sheet := "'); SELECT 1 --")`, expected: /sheet/ },
  {
    what: 'a separator that ends the statement',
    query: `SELECT * FROM READ_CSV("file:people.csv", delimiter := "'")`,
    expected: '{"n":1}\n{"n":2}\n',
  },
  {
    what: 'a NULL text that ends the statement',
    query: `SELECT n FROM READ_CSV("file:people.csv", nulls := ["'] x=1) --"])`,
    expected: PEOPLE,
  },
  {
    what: 'a format that ends the statement',
    query: '1',
    headers: { 'X-SVC-Output-Format': "csv'); --" },
    expected: /^The header X-SVC-output-format must be/,
  },
  { what: 'a dollar that names a parameter', query: '"$1 $2 {root} %s"', expected: '"$1 $2 {root} %s"\n' },
  {
    what: 'a message that holds a statement',
    query: `SELECT CAST(t AS int) FROM ["'; SELECT current_setting('temp_directory')"] t`,
    expected: /^cannot cast/,
  },
];

const SIZES: readonly Attack[] = [
  { what: 'gzip: 420 MB of UTF-16 text in 1 MB', query: 'SELECT COUNT(*) FROM READ("file:bomb.csv.gz")', expected: /spool/ },
  { what: 'gzip: one JSON string of 200 MB', query: 'SELECT COUNT(*) FROM READ("file:bomb.json.gz")', expected: /./ },
  { what: 'zstd: 20 MB of lines in 2 kB', query: 'SELECT COUNT(*) FROM READ("file:bomb.csv.zst")', expected: '10000000\n' },
  { what: 'zstd: 60 MB of UTF-16 text in 6 kB', query: 'SELECT COUNT(*) FROM READ_LINES("file:bomb.txt.zst")', expected: /spool/ },
  { what: 'gzip: a text of 200 MB', query: 'LENGTH(READ_TEXT("file:bomb.json.gz"))', expected: /spool/ },
  { what: 'gzip: 200 MB of bytes', query: 'READ_BINARY("file:bomb.json.gz")', expected: /spool/ },
  { what: 'gzip: one line of CSV of 200 MB', query: 'SELECT COUNT(*) FROM READ_CSV("file:bomb.json.gz")', expected: /./ },
  {
    what: 'gzip: one line of text of 200 MB',
    query: 'SELECT COUNT(*) FROM READ_LINES("file:bomb.json.gz")',
    expected: /line 1 is longer than 16 MB/,
  },
  { what: 'gzip: one element of XML of 200 MB', query: 'READ_XML("file:bomb.xml.gz")', expected: /larger than 64 MB/ },
  { what: 'Excel: 30 MB of rows in 35 kB', query: 'SELECT COUNT(*) FROM READ("file:rows.xlsx")', expected: /spool/ },
  { what: 'Excel: one cell of 80 MB', query: 'SELECT COUNT(*) FROM READ("file:cell.xlsx")', expected: /larger than 64 MB/ },
  {
    what: 'Excel: one text of 1 MB in 16,000 cells of a row',
    query: 'SELECT COUNT(*) FROM READ("file:shared.xlsx")',
    expected: /more than 1048576 characters/,
  },
  { what: 'Excel: a row of number 1,000,000,000', query: 'SELECT COUNT(*) FROM READ("file:far.xlsx")', expected: /beyond 1048576/ },
  {
    what: 'Excel: a part that is larger than the archive says',
    query: 'SELECT COUNT(*) FROM READ("file:lying.xlsx")',
    expected: /damaged/,
  },
  { what: 'Excel: a workbook of the same making that is right', query: 'SELECT COUNT(*) FROM READ("file:right.xlsx")', expected: '1\n' },
  { what: 'Avro: a deflated block of 80 MB', query: 'SELECT COUNT(*) FROM READ("file:deflate.avro")', expected: /larger than 64 MB/ },
  { what: 'Avro: a zstandard block of 80 MB', query: 'SELECT COUNT(*) FROM READ("file:zstd.avro")', expected: /larger than 64 MB/ },
  { what: 'Avro: 50 blocks of 4 MB in 200 kB', query: 'SELECT COUNT(*) FROM READ("file:blocks.avro")', expected: /spool/ },
  { what: 'Avro: 2,147,483,648 elements of no bytes', query: 'SELECT COUNT(*) FROM READ("file:nulls.avro")', expected: /more than 16 MB/ },
  { what: 'Avro: 1,099,511,627,776 values of no bytes', query: 'SELECT COUNT(*) FROM READ("file:values.avro")', expected: /spool/ },
  { what: 'Avro: records that double sixty times', query: 'SELECT COUNT(*) FROM READ("file:doubling.avro")', expected: /parts/ },
  { what: 'Avro: a name that is JavaScript', query: 'READ("file:code.avro")', expected: '{"f0":5}\n' },
  { what: 'XML: 100,000 attributes', query: 'READ("file:attributes.xml")', expected: /more than 10000 attributes/ },
  { what: 'XML: a billion laughs', query: 'READ("file:laughs.xml")', expected: /./ },
  { what: 'XML: a file as an entity', query: 'READ("file:entity.xml")', expected: /./ },
  { what: 'CSV of 100,000 columns', query: 'SELECT c1 FROM READ("file:wide.csv")', expected: /100000 columns/ },
  { what: 'CSV of 100,000 columns of one name', query: 'SELECT a FROM READ("file:same.csv")', expected: /100000 columns|longer/ },
  { what: 'JSON of 100,000 names', query: 'SELECT c1 FROM READ("file:names.json")', expected: /./ },
  { what: 'JSON nested 10,000 deep', query: 'READ("file:deep.json")', expected: `${'['.repeat(9999)}${']'.repeat(9999)}\n` },
  {
    what: 'JSON nested 10,000 deep, as text',
    query: `CAST("${'['.repeat(10_000)}${']'.repeat(10_000)}" AS collection(any))`,
    expected: /./,
  },
  { what: 'a query nested 10,000 deep', query: `${'('.repeat(10_000)}1${')'.repeat(10_000)}`, expected: /./ },
  { what: 'gzip that ends early', query: 'SELECT COUNT(*) FROM READ("file:cut.csv.gz")', expected: /./ },
  { what: 'gzip that is none', query: 'SELECT COUNT(*) FROM READ("file:fake.csv.gz")', expected: /./ },
  { what: 'Parquet that ends early', query: 'READ("file:cut.parquet")', expected: /./ },
  { what: 'Parquet whose footer is 4 GB long', query: 'READ("file:long-footer.parquet")', expected: /./ },
  { what: 'Parquet whose footer is of length 0', query: 'READ("file:no-footer.parquet")', expected: /./ },
  { what: 'Parquet whose footer names more rows than there are', query: 'READ("file:lying.parquet")', expected: /./ },
  { what: 'a string of 10 GB', query: 'REPLICATE("0123456789", 1000000000)', expected: /./ },
  { what: 'a regular expression that backtracks', query: `["${'a'.repeat(200)}!"] PARSE AS r"(a+)+b" SKIP ON FAIL`, expected: '' },
  {
    what: 'more rows than there is time for, cut by the bytes',
    query: 'SELECT x FROM RANGE(0, 1000000) x, RANGE(0, 1000000) y',
    headers: { 'X-SVC-Max-Bytes': '4' },
    expected: '0\n1\n',
  },
];

/** A text of 10 MB that rows share. */
const SHARED = 'a := REPLICATE("x", 10000000);';
const TIMES_EIGHT = 'f := \\(s: string) -> s || s || s || s || s || s || s || s;';

/** It is refused before it is made, or it is more than the engine may use. */
const TOO_LONG = /would make more than|needs more memory/;

const GROWING: readonly Attack[] = [
  {
    what: 'a collection of 100,000 numbers for each of 400 rows',
    query: 'SELECT SUM(s) FROM (SELECT (SELECT SUM(y) FROM RANGE(0, 100000 - x) y) AS s FROM RANGE(0, 400) x)',
    expected: '1992010666600\n',
  },
  {
    what: 'the same as a source',
    query: 'SELECT SUM(y) FROM RANGE(0, 400) x, RANGE(0, 100000 - x) y',
    expected: '1992010666600\n',
  },
  {
    what: 'a text of 200 kB for each of 400 rows',
    query: 'SELECT SUM(LENGTH(REPLICATE("é", CAST(100000 - x AS int)))) FROM RANGE(0, 400) x',
    expected: '39920200\n',
  },
  {
    what: 'the same in a condition',
    query: 'SELECT COUNT(*) FROM RANGE(0, 400) x WHERE LENGTH(REPLICATE("é", CAST(100000 - x AS int))) > 3',
    expected: '400\n',
  },
  {
    what: '100,000 texts of up to 100 kB for one row',
    query: 'SELECT LEN(t) FROM (SELECT (SELECT REPLICATE("a", CAST(y AS int)) FROM RANGE(0, 100000 - x) y) AS t FROM RANGE(0, 5) x)',
    expected: TOO_LONG,
  },
  {
    what: 'a text eight times itself, eight times',
    query: `${TIMES_EIGHT} SELECT LENGTH(f(f(f(f(f(f(f(f(x))))))))) FROM ["abc"] x`,
    expected: /more than 1 MB/,
  },
  {
    what: 'a text of 10 MB with something for each row',
    query: `${SHARED} SELECT SUM(LENGTH(a || CAST(x AS string))) FROM RANGE(0, 2000) x`,
    expected: /more than 1 MB/,
  },
  {
    what: '30 texts of 10 MB',
    query: `LEN([${Array.from({ length: 30 }, () => 'REPLICATE("x", 10000000)').join(', ')}])`,
    expected: /characters/,
  },
  {
    what: 'REPLACE by a long text',
    query: 'LENGTH(REPLACE(REPLICATE("x", 100000), "x", REPLICATE("y", 20000)))',
    expected: TOO_LONG,
  },
  {
    what: 'REPLACE of a regex by a long text',
    query: 'LENGTH(REPLACE(REPLICATE("x", 100000), r"x", REPLICATE("y", 20000)))',
    expected: TOO_LONG,
  },
  {
    what: 'REPLACE by what was found, over and over',
    query: `LENGTH(REPLACE(REPLICATE("x", 10000000), r"x*", "${'$0'.repeat(50)}"))`,
    expected: TOO_LONG,
  },
  {
    what: 'texts joined by a long one',
    query: 'LENGTH(MKSTRING(TRANSFORM(RANGE(0, 10000), \\(x) -> "a"), REPLICATE("y", 1000000)))',
    expected: TOO_LONG,
  },
  {
    what: 'texts of rows joined by a long one',
    query: 'SELECT LENGTH(STRING_AGG("a", REPLICATE("y", 100000))) FROM RANGE(0, 10000) x',
    expected: TOO_LONG,
  },
  {
    what: 'a long text of 10,000 rows',
    query: 'a := REPLICATE("y", 1000000); SELECT LENGTH(STRING_AGG(a, "")) FROM RANGE(0, 10000) x',
    expected: TOO_LONG,
  },
  { what: 'a collection behind itself', query: 'a := RANGE(0, 10000000); LEN(a ++ a ++ a ++ a)', expected: TOO_LONG },
  { what: 'a collection beside itself', query: 'a := RANGE(0, 2900000); LEN(ZIP(a, a, a, a, a, a, a, a))', expected: TOO_LONG },
  { what: 'REDUCE that doubles', query: 'LENGTH(REDUCE(RANGE(0, 40), "xy", \\(a, x) -> a || a))', expected: /more than 1 MB/ },
  { what: 'REDUCE that doubles a collection', query: 'LEN(REDUCE(RANGE(0, 40), [1, 2], \\(a, x) -> a ++ a))', expected: /more than 1 MB/ },
  {
    what: 'REDUCE that adds a letter a million times',
    query: 'LENGTH(REDUCE(RANGE(0, 1000000), "", \\(a, x) -> a || "x"))',
    expected: /more than 4 GB/,
  },
  {
    what: 'JSON of JSON of JSON',
    query: `b := REPLICATE("\\"", 10000000); LENGTH(${'TO_JSON('.repeat(8)}b${')'.repeat(8)})`,
    expected: TOO_LONG,
  },
];

/** All of them, by what they are after. */
export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'Files outside the roots': PATHS,
  'The spool, which other namespaces use too': SPOOL,
  'Locations of the engine': LOCATIONS,
  'Statements, functions and settings of the engine': SMUGGLED,
  'Data that is larger or deeper than it looks, or lies': SIZES,
  'Values that grow while they are made': GROWING,
};
