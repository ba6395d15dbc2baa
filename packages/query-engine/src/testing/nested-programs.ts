/** A program of any size: `step` nested in itself, `@` being the inner program and `#` the number of the step. */
interface NestedProgram {
  readonly base: string;
  readonly step: string;
  /** The enclosing program: `@` is the nested one. */
  readonly around?: string;
}

const OF_ROWS = 'SELECT @ AS x FROM people';

const ofRow = (base: string, step: string): NestedProgram => ({ base, step, around: OF_ROWS });
const alone = (base: string, step: string, around = '@'): NestedProgram => ({ base, step, around });

/** One program for each construct that contains others. A table, long on purpose. */
export const NESTED_PROGRAMS: Readonly<Record<string, NestedProgram>> = {
  addition: ofRow('id', '(1 + @)'),
  division: ofRow('id', '(100 / @)'),
  modulo: ofRow('id', '(@ % id)'),
  'decimal product': ofRow('decimal(id)', '(@ * 1.5q)'),
  'decimal division': ofRow('decimal(id)', '(@ / 1.5q)'),
  'interval sum': ofRow('timestamp "2020-01-01 00:00:00"', '(@ + interval "1 day")'),
  'timestamp difference': ofRow(
    'timestamp "2020-01-01 00:00:00"',
    '(timestamp "2020-01-01 00:00:00" + (timestamp "2020-01-01 00:00:00" - @))',
  ),
  'interval product': ofRow('interval "1 day"', '(@ * 2)'),
  'interval comparison': ofRow('interval "1 day"', '(IF @ < interval "1 month" THEN interval "1 day" ELSE interval "1 hour")'),
  negation: ofRow('id', '-(@)'),
  not: ofRow('age > 1', 'NOT (@)'),
  concatenation: ofRow('name', '("a" || @)'),
  'text sum': ofRow('name', '("a" + @ + id)'),
  'if else': ofRow('id', 'IF age > 1 THEN id ELSE (@)'),
  'if condition': ofRow('age', '(IF @ > 1 THEN id ELSE 3)'),
  'if failing condition': ofRow('age', '(IF 10 / @ > 1 THEN id ELSE 3)'),
  'if failing branch': ofRow('id', '(IF age > 1 THEN 10 / @ ELSE 3)'),
  case: ofRow('id', 'CASE WHEN age > 1 THEN 1 WHEN @ > 2 THEN 3 ELSE id END'),
  'case of value': ofRow('id', 'CASE @ WHEN 1 THEN 10 / id WHEN 2 THEN 3 ELSE id END'),
  coalesce: ofRow('10 / age', 'COALESCE(age, @)'),
  'coalesce first': ofRow('10 / age', 'COALESCE(@, age)'),
  isnull: ofRow('age', 'ISNULL(@, id)'),
  nullif: ofRow('age', 'NULLIF(@, id)'),
  choose: ofRow('age', 'CHOOSE(@, id, 2)'),
  try: ofRow('age', 'TRY(10 / @)'),
  'try of constant': alone('2', 'TRY(10 / @)'),
  cast: ofRow('age', 'CAST(CAST(@ AS string) AS int)'),
  try_cast: ofRow('age', 'TRY_CAST(string(@) AS int)'),
  between: ofRow('age', '(IF @ BETWEEN 1 AND age THEN 2 ELSE id)'),
  'in list': ofRow('age', '(IF @ IN (1, age) THEN 2 ELSE id)'),
  'in collection': ofRow('age', '(IF id IN [1, @] ++ [2] THEN 2 ELSE id)'),
  like: ofRow('name', '(IF @ LIKE "a%" ESCAPE "x" THEN name ELSE city)'),
  'like pattern': ofRow('name', '(IF name LIKE @ THEN name ELSE city)'),
  'is distinct': ofRow('name', '(IF @ IS DISTINCT FROM city THEN name ELSE "a")'),
  'equal conditions': ofRow('age > 1', '((@) = (age > 2))'),
  'and or': ofRow('10 / age > 1', '(age > 1 AND (city = "a" OR @))'),
  'failing and or': ofRow('10 / age > 1', '(10 / age > 1 AND (10 / id = age OR @))'),
  'where and or': alone('10 / age > 1', '(10 / age > 1 AND (10 / id = age OR @))', 'SELECT id FROM people WHERE @'),
  'not and': ofRow('10 / age > 1', 'NOT (10 / age > 1 AND @)'),
  record: alone('1', '(a: @)'),
  'record field': ofRow('10 / id', '(a: @, b: 2).a'),
  update: ofRow('(z: 1)', '(@ +++ (z: 10 / id))'),
  into: ofRow('(z: id, y: 1)', '(@ INTO (z: z + y, y: 10 / z))'),
  'into over a collection': ofRow('[(z: id, y: 1)]', '(@ INTO (z: z + y, y: 10 / z))'),
  exclude: ofRow('(z: 10 / id, y: 1)', '(@ EXCLUDE (z)) ++ (z: 1)'),
  collection: alone('1', '[@]'),
  'records in collections': alone('1', '[(a: @)]'),
  index: ofRow('id', '[1, 2][@]'),
  'index of target': ofRow('id', '[[@, 2][id], 3][age]'),
  'fields of a collection': alone('[(a: 1)]', '[(a: @.a)]'),
  'to json': ofRow('id', 'TO_JSON(@)'),
  union: alone('[2]', '([1] UNION (@))'),
  'except of a row': ofRow('[2]', '([id] EXCEPT (@))'),
  'intersect of rows': alone('(SELECT owner FROM pets)', '((SELECT id FROM people) INTERSECT (@))'),
  'union all of nullable': ofRow('IF age > 2 THEN [1] ELSE NULL', '([id] UNION ALL (@))'),
  from: alone('SELECT id AS id FROM people', 'SELECT id AS id FROM (@) x WHERE id > 0'),
  'from a list': alone('[1, 2]', 'SELECT x + 1 FROM (@) x WHERE x > 0'),
  item: alone('p.id', '(SELECT @ FROM [1] x#)', 'SELECT @ AS x FROM people p'),
  'aggregate query': alone('p.id', '(SELECT SUM(x# + @) FROM [1] x#)', 'SELECT @ AS x FROM people p'),
  'two aggregates': alone('p.id', '(SELECT MIN(x# + @) + MAX(x#) FROM [1] x#)', 'SELECT @ AS x FROM people p'),
  'aggregate query over rows': alone('p.id', '(SELECT SUM(q#.owner + @) FROM pets q#)', 'SELECT @ AS x FROM people p'),
  'failing query over rows': alone('p.id', '(SELECT SUM(10 / (q#.owner + @)) FROM pets q#)', 'SELECT @ AS x FROM people p'),
  'aggregate in branches': alone('p.id', '(SELECT IF p.id > # THEN SUM(10 / (x# + @)) ELSE # FROM [1] x#)', 'SELECT @ AS x FROM people p'),
  'aggregate in branches over rows': alone(
    'p.id',
    '(SELECT IF p.id > # THEN SUM(10 / (q#.owner + @)) ELSE # FROM pets q#)',
    'SELECT @ AS x FROM people p',
  ),
  'tried aggregate': alone('p.id', '(SELECT SUM(TRY(10 / (x# + @))) FROM [1] x#)', 'SELECT @ AS x FROM people p'),
  'branches of aggregates': alone('SUM(10 / age)', 'COALESCE(SUM(10 / (age - #)), @)', 'SELECT @ AS x FROM people GROUP BY city'),
  'window in branches': alone(
    '[id]',
    'SELECT IF x# > # THEN SUM(10 / x#) OVER (ORDER BY x#) ELSE 1 FROM (@) x#',
    'SELECT (@) AS x FROM people',
  ),
  exists: alone('SELECT owner FROM pets', 'SELECT q#.id FROM people q# WHERE EXISTS(@)'),
  in: alone('SELECT owner FROM pets', 'SELECT q#.id FROM people q# WHERE q#.id IN (@)'),
  'exists in lists': alone('p.id > 0', 'EXISTS(SELECT x# FROM [1, 2] x# WHERE x# > 0 AND @)', 'SELECT p.id FROM people p WHERE @'),
  'collections of rows': alone('SELECT owner FROM pets', 'SELECT (a: q#.id, b: (@)) FROM people q#'),
  groups: alone('SELECT id, name FROM people', 'SELECT id, COUNT(*) AS n FROM (@) x GROUP BY id'),
  'groups of groups': alone('SELECT id FROM *', 'SELECT id, (@) AS g# FROM * GROUP BY id', 'SELECT id, (@) AS g FROM people GROUP BY id'),
  'groups of a list': alone('[(a: id), (a: 2)]', 'SELECT x.a AS a, COUNT(*) AS n FROM (@) x GROUP BY x.a', OF_ROWS.replace('@', '(@)')),
  distinct: alone('SELECT id AS id FROM people', 'SELECT DISTINCT id AS id FROM (@) x'),
  'order and limit': alone('SELECT id AS id FROM people', 'SELECT id AS id FROM (@) x ORDER BY id LIMIT 3'),
  'order and limit of a list': alone('[1, 2]', 'SELECT x + p.id FROM (@) x ORDER BY x LIMIT 3', 'SELECT (@) AS x FROM people p'),
  'computed limit': alone('[1, 2]', 'SELECT x FROM [1, 2] x LIMIT LEN(@)', 'SELECT (@) AS x FROM people p'),
  window: alone('SELECT id AS id FROM people', 'SELECT SUM(id) OVER (ORDER BY id) AS id FROM (@) x'),
  'window over a list': alone('[id]', 'SELECT SUM(x#) OVER (ORDER BY x#) FROM (@) x#', 'SELECT (@) AS x FROM people'),
  'left join': alone('[1]', 'SELECT p FROM [1, t.id] p LEFT JOIN (@) x# ON x# = p', 'SELECT (@) AS x FROM people t'),
  'right join': alone('[1]', 'SELECT p FROM [1, t.id] p RIGHT JOIN (@) x# ON x# = p', 'SELECT (@) AS x FROM people t'),
  'full join': alone('[1]', 'SELECT p FROM [1, t.id] p FULL JOIN (@) x# ON x# = p', 'SELECT (@) AS x FROM people t'),
  'full join on the left': alone('[1]', 'SELECT p# FROM (@) p# FULL JOIN [1, t.id] x# ON x# = p#', 'SELECT (@) AS x FROM people t'),
  'right join of rows': alone('[1]', 'SELECT p.id FROM people p RIGHT JOIN (@) x# ON x# = p.id'),
  'full join of rows': alone('[1]', 'SELECT p.id FROM people p FULL JOIN pets x# ON x#.owner = p.id AND p.id IN (@)'),
  transform: alone('[1]', 'TRANSFORM(@, \\(x#) -> x# + 1)'),
  'transform to': ofRow('10 / id', 'TRANSFORM([1], \\(x#) -> @)'),
  filter: alone('[1]', 'FILTER(@, \\(x#) -> 10 / x# > 1)'),
  'filter by': alone('[1]', 'FILTER([1], \\(x#) -> LEN(@) > 1)'),
  any: alone('TRUE', 'ANY([1], \\(x#) -> @)'),
  all: alone('TRUE', 'ALL([1], \\(x#) -> @)'),
  find_first: alone('1', 'FIND_FIRST([1], \\(x#) -> x# > @)'),
  'reduce of': alone('1', 'REDUCE([@], 0, \\(a#, x#) -> a# + x#)'),
  'reduce from': alone('1', 'REDUCE([1], @, \\(a#, x#) -> a# + x#)'),
  'reduce to': alone('1', 'REDUCE([1], 0, \\(a#, x#) -> a# + @)'),
  'reduce that widens': alone('1.5', 'REDUCE([1], 0, \\(a#, x#) -> a# + @)'),
  'reduce to null': alone('1', 'REDUCE([1], 0, \\(a#, x#) -> IF x# > 1 THEN NULL ELSE a# + @)'),
  'reduce of nullable': ofRow('id', 'REDUCE(IF age > 1 THEN [@] ELSE NULL, 0, \\(a#, x#) -> a# + x#)'),
  'applied lambda': alone('1', '(\\(x#: int) -> x# + @)(1)'),
  'lambda applied to': alone('1', '(\\(x#: int) -> x# + x#)(@)'),
  'function in a block': alone('1', '{ f#(x#: int) := x# + @; f#(1) + 1 }'),
  'function of a type in a block': alone('1', '{ f#(x#: int): int := @; f#(1) }'),
  'lambda in a block': alone('1', '{ f# := \\(x#: int) -> @; f#(1) }'),
  'function in a function': alone('1', '{ f#(x#: int) := { g#(y#: int) := y# + @; g#(x#) }; f#(1) }'),
  'lambda as argument': alone('1', 'ap(\\(x#) -> x# + @, 1)', 'ap(f: (int) -> int, x: int) := f(x); @'),
  overloads: alone('age', 'f(@)', 'f(x: int) := x; f(x: string) := LEN(x); SELECT @ AS x FROM people'),
  'call with NULL': alone('age', 'f(@)', 'f(x: int) := 10 / x + x; SELECT @ AS x FROM people'),
  'call with a default': alone('age', 'f(@)', 'f(x: int, y: int := 2) := x + y; SELECT @ AS x FROM people'),
  block: alone('1', '{ v# := @; v# + v# }'),
  'block of a row': ofRow('id', '{ v# := 10 / @; v# + v# }'),
  upper: ofRow('name', 'UPPER(@)'),
  abs: ofRow('id', 'ABS(@)'),
  sqrt: ofRow('id', 'SQRT(@)'),
  round: ofRow('double(id)', 'ROUND(@, 1)'),
  log: ofRow('id', 'LOG(@)'),
  mod: ofRow('age', 'MOD(@, id)'),
  greatest: ofRow('id', 'GREATEST(@, id, age)'),
  substring: ofRow('name', 'SUBSTRING(@, 1, 2)'),
  replace: ofRow('name', 'REPLACE(@, "a", "b")'),
  replicate: ofRow('name', 'REPLICATE(@, 1)'),
  lpad: ofRow('name', 'LPAD(@, 3, "x")'),
  split: ofRow('name', 'MKSTRING(SPLIT(@, ","), ",")'),
  charindex: ofRow('id', 'CHARINDEX("a", string(@))'),
  levenshtein: ofRow('id', 'LEVENSHTEIN(string(@), "a")'),
  first_match: ofRow('name', 'FIRST_MATCH(@, r"a.*")'),
  groups_of_match: ofRow('name', 'GROUPS(@, r"(a)(.*)")[0]'),
  'parse as': ofRow('name', '([@] PARSE AS r"a.*" ("x") ON FAIL)[0]'),
  'parse as or fail': ofRow('name', '([@] PARSE AS r"a.*" ERROR ON FAIL)[0]'),
  try_parse: ofRow('name', 'TRY_PARSE(@, r"(?<a>a)(?<b>.*)").a'),
  take: ofRow('[id]', 'TAKE(@, id)'),
  drop: ofRow('[id]', 'DROP(@, id)'),
  sort: ofRow('[id]', 'SORT(@)'),
  'distinct elements': ofRow('[id]', 'DISTINCT(@)'),
  'rows taken': alone('people', 'TAKE(SORT(DISTINCT(@)), 3)'),
  reverse: ofRow('[id]', 'REVERSE(@)'),
  zip: ofRow('[id]', 'ZIP(@, [1])'),
  flatten: ofRow('[id]', 'FLATTEN([@])'),
  range: ofRow('[id]', 'RANGE(0, LEN(@))'),
  get: ofRow('id', 'GET([1, 2], @)'),
  'get by name': ofRow('name', 'GET((a: @, b: "1"), name)'),
  contains: ofRow('age > 1', 'CONTAINS([TRUE], @)'),
  csum: ofRow('id', 'CSUM([@])'),
  cavg: ofRow('decimal(id)', 'CAVG([@])'),
  cmax: ofRow('id', 'CMAX([@])'),
  'sum of a collection': alone('1', 'SUM([@])'),
  'stddev of a collection': alone('1', 'STDDEV([@, 1])'),
  'quantile of a collection': alone('1', 'QUANTILE([@, 1], 0.5)'),
  'string_agg of a collection': alone('"1"', 'STRING_AGG([@], ",")'),
  trunc: ofRow('timestamp "2020-01-01 00:00:00"', 'TRUNC("day", @)'),
  time_bucket: ofRow('timestamp "2020-01-01 00:00:00"', 'TIME_BUCKET(interval "1 day", @)'),
  date_build: ofRow('id', 'YEAR(DATE_BUILD(@, 1, 1))'),
  timestamp_build: ofRow('id', 'YEAR(TIMESTAMP_BUILD(@, 1, 1, 1, 1, 1, 1))'),
  interval_build: ofRow('id', 'DAY(INTERVAL_BUILD(days := @))'),
  epoch: ofRow('id', 'TO_EPOCH(FROM_EPOCH(@))'),
  age: ofRow('id', 'YEAR(AGE(date "2020-01-01", DATE_BUILD(@ + 2000, 1, 1)))'),
  format: ofRow('name', 'FORMAT(TO_DATE(@, "yyyy-MM-dd"), "yyyy-MM-dd")'),
  'at time zone': ofRow('timestamp "2020-01-01 00:00:00"', '(@ AT TIME ZONE name)'),
  encode: ofRow('name', 'DECODE(ENCODE(@, "utf-8"), "utf-8")'),
  base64: ofRow('ENCODE(name, "utf-8")', 'FROM_BASE64(BASE64(@))'),
  url: ofRow('name', 'URL_DECODE(URL_ENCODE(@))'),
  entries: ofRow('name', 'ENTRIES((a: @, b: "1"))[0].value'),
  'from text': ofRow('name', 'int(string(@))'),
  'decimal of double': ofRow('id', 'decimal(double(@))'),
  'equal records': ofRow('age > 1', '((a: @, b: id) = (a: age > 2, b: 1))'),
  'equal collections': ofRow('age > 1', '([@] = [age > 2])'),
  'records of a choice': ofRow('(a: id, b: 1)', '(IF age > 2 THEN (a: @.a, b: 1.5) ELSE (a: NULL, b: 1))'),
};

/** The text of a program with this many steps. */
export function nestedProgram({ base, step, around = '@' }: NestedProgram, steps: number): string {
  let text = base;
  for (let i = 0; i < steps; i += 1) text = step.replaceAll(/[@#]/g, (mark) => (mark === '@' ? text : String(i)));
  return around.replace('@', () => text);
}

const listed = (count: number, part: (i: number) => string, separator = ', '): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(separator);

/** The same for constructs repeated side by side. */
export const WIDE_PROGRAMS: Readonly<Record<string, (count: number) => string>> = {
  sum: (n) => `SELECT ${listed(n, () => 'id', ' + ')} AS x FROM people`,
  'and of ors': (n) => `SELECT ${listed(n, (i) => `(10 / age > ${i} OR (age = ${i} AND 10 / age = 1))`, ' AND ')} AS x FROM people`,
  'failing and': (n) => `SELECT ${listed(n, (i) => `10 / age > ${i}`, ' AND ')} AS x FROM people`,
  whens: (n) => `SELECT CASE ${listed(n, (i) => `WHEN id = ${i} THEN 10 / id`, ' ')} END AS x FROM people`,
  'set operands': (n) => listed(n, (i) => `[${i}]`, ' UNION '),
  items: (n) => `SELECT ${listed(n, (i) => `10 / id + ${i} AS c${i}`)} FROM people`,
  elements: (n) => `SELECT [${listed(n, (i) => `10 / id + ${i}`)}] AS x FROM people`,
  aggregates: (n) => `SELECT ${listed(n, (i) => `SUM(id + ${i}) AS c${i}`)} FROM people GROUP BY city`,
  'aggregates of a list': (n) => `SELECT (SELECT ${listed(n, (i) => `SUM(x + ${i}) AS c${i}`)} FROM [1, id] x) AS x FROM people`,
  keys: (n) => `SELECT COUNT(*) AS x FROM people GROUP BY ${listed(n, (i) => `id + ${i}`)}`,
  windows: (n) => `SELECT ${listed(n, (i) => `SUM(id + ${i}) OVER (PARTITION BY age ORDER BY id) AS c${i}`)} FROM people`,
  joins: (n) => `SELECT p.id FROM people p ${listed(n, (i) => `LEFT JOIN pets q${i} ON q${i}.owner = 10 / p.id`, ' ')}`,
  'dependent sources': (n) =>
    `SELECT p.id FROM people p${listed(n, (i) => `, [p.id, ${i === 0 ? 'p.id' : `x${i - 1}`}] x${i}`, '')} LIMIT 1`,
  declarations: (n) =>
    `${listed(n, (i) => `v${i} := ${i === 0 ? '10 / 1' : `10 / v${i - 1} + v${i - 1}`};`, ' ')} IF v0 > 100 THEN v${n - 1} ELSE 1`,
  'declarations of blocks': (n) =>
    `${listed(n, (i) => `v${i} := ${i === 0 ? '10 / 1' : `{ w := 10 / v${i - 1}; w + v${i - 1} }`};`, ' ')} IF v0 > 100 THEN v${n - 1} ELSE 1`,
  'declared collections': (n) => `${listed(n, (i) => `v${i} := ${i === 0 ? '[1]' : `v${i - 1} ++ v${i - 1}`};`, ' ')} LEN(v${n - 1})`,
  'declared rows': (n) =>
    `${listed(n, (i) => `v${i} := ${i === 0 ? 'SELECT id FROM people' : `(SELECT a FROM v${i - 1} a, v${i - 1} b LIMIT 3)`};`, ' ')} v${n - 1}`,
  functions: (n) => `${listed(n, (i) => `f${i}(x: int) := ${i === 0 ? 'x' : `f${i - 1}(x) + 1`};`, ' ')} f${n - 1}(1)`,
  'declared in a block': (n) =>
    `SELECT { ${listed(n, (i) => `v${i} := ${i === 0 ? '10 / id' : `v${i - 1} + v${i - 1}`};`, ' ')} v${n - 1} } AS x FROM people`,
  queries: (n) => `SELECT ${listed(n, (i) => `(SELECT SUM(owner) FROM pets WHERE owner = p.id + ${i}) AS c${i}`)} FROM people p`,
  conditions: (n) =>
    `SELECT id FROM people p WHERE ${listed(n, (i) => `EXISTS(SELECT owner FROM pets WHERE owner = p.id + ${i})`, ' AND ')}`,
};

const repeated = (count: number, step: (inner: string) => string, base: string): string => {
  let text = base;
  for (let i = 0; i < count; i += 1) text = step(text);
  return text;
};

/** Values of deep types, whose SQL contains the type at each level: inherently quadratic in the depth. */
export const DEEP_TYPES: Readonly<Record<string, (depth: number) => string>> = {
  'cast of collections': (n) =>
    `SELECT CAST(${repeated(n, (t) => `[${t}]`, 'name')} AS ${repeated(n, (t) => `collection(${t})`, 'int')}) AS x FROM people`,
  'cast of records': (n) =>
    `SELECT CAST(${repeated(n, (t) => `(a: ${t}, b: 1)`, 'name')} AS ${repeated(n, (t) => `record(a: ${t}, b: string)`, 'int')}) AS x FROM people`,
  'cast of both': (n) =>
    `SELECT CAST(${repeated(n, (t) => `[(a: ${t})]`, 'name')} AS ${repeated(n, (t) => `collection(record(a: ${t}))`, 'int')}) AS x FROM people`,
  'cast of any': (n) => `SELECT CAST(PARSE_JSON(name) AS ${repeated(n, (t) => `collection(${t})`, 'int')}) AS x FROM people`,
  'cast of any to records': (n) => `SELECT CAST(PARSE_JSON(name) AS ${repeated(n, (t) => `record(a: ${t})`, 'int')}) AS x FROM people`,
  'typed JSON': (n) => `SELECT PARSE_JSON(name AS ${repeated(n, (t) => `record(a: collection(${t}))`, 'int')}) AS x FROM people`,
  'typed XML': (n) => `SELECT PARSE_XML(name AS ${repeated(n, (t) => `record(a: ${t})`, 'record(a: int)')}) AS x FROM people`,
  'widened collections': (n) => `SELECT ${repeated(n, (t) => `[${t}]`, 'id')} ++ ${repeated(n, (t) => `[${t}]`, '1.5')} AS x FROM people`,
  'unified records': (n) =>
    `SELECT [${repeated(n, (t) => `(a: ${t}, b: 1)`, 'NULL')}, ${repeated(n, (t) => `(a: ${t}, b: 1.5)`, '1')}] AS x FROM people`,
  'equal nested': (n) => `SELECT ${repeated(n, (t) => `[(a: ${t})]`, 'age')} = ${repeated(n, (t) => `[(a: ${t})]`, 'id')} AS x FROM people`,
  'appended records': (n) => `SELECT ${listed(n, (i) => `(a${i}: 10 / id)`, ' ++ ')} AS x FROM people`,
};
