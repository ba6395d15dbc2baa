import type { Attack } from './attack.ts';
import { PEOPLE } from './attack.ts';

/** Texts that would be SQL if they were inserted into a statement unescaped. */
export const SMUGGLED: readonly Attack[] = [
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

function refused(query: string): Attack {
  return { what: `\`${query}\``, query, expected: /./ };
}
