import { excelFile, type Sheets } from './testing/excel-file.ts';
import { openReadingRuntime, type ReadingRuntime } from './testing/reading-runtime.ts';

let at: ReadingRuntime;
beforeAll(async () => {
  at = await openReadingRuntime();
});
afterAll(() => at.close());

/** A query over `book.xlsx`: the type, and the lines or the one message. */
async function ask(sheets: Sheets, query: string): Promise<readonly string[]> {
  await at.write('book.xlsx', excelFile(sheets));
  const lines = (await at.run(query)).map((line) => line.replace(/ at READ[\s\S]*$/, ''));
  return [(await at.typeOf(query)).replace(/^collection\((.*)\)$/, '$1').replace(/ at READ[\s\S]*$/, ''), ...lines];
}

const text = (content: string): string => `<c t="inlineStr"><is><t>${content}</t></is></c>`;
const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`;

/** Column `v` of cells, a row each. */
async function column(cells: readonly string[], more: Omit<Sheets, 'sheets'> = {}): Promise<readonly string[]> {
  const rows = cells.map((cell) => row(cell, '<c><v>1</v></c>'));
  return ask({ ...more, sheets: { one: row(text('v'), text('n')) + rows.join('') } }, 'SELECT v FROM READ("file:book.xlsx")');
}

const FORMATS = [14, 'yyyy-mm-dd hh:mm:ss', 21, '[h]:mm', '0.00', '&quot;day&quot; 0', 22, 'm/d/yy;@'];

describe('cells', () => {
  test.each([
    ['whole numbers', ['<c><v>1</v></c>', '<c t="n"><v>-5</v></c>'], ['int', '1', '-5']],
    ['large numbers', ['<c><v>3000000000</v></c>', '<c><v>1</v></c>'], ['long', '3000000000', '1']],
    ['fractions', ['<c><v>0.1</v></c>', '<c><v>1E-3</v></c>', '<c><v>2</v></c>'], ['double', '0.1', '0.001', '2.0']],
    ['huge numbers', ['<c><v>1.5E+300</v></c>'], ['double', '1.5e300']],
    ['numbers in a format of numbers', ['<c s="5"><v>1.25</v></c>', '<c s="6"><v>3</v></c>'], ['double', '1.25', '3.0']],
    ['truth', ['<c t="b"><v>1</v></c>', '<c t="b"><v>0</v></c>'], ['bool', 'true', 'false']],
    ['shared texts', ['<c t="s"><v>0</v></c>', '<c t="s"><v>1</v></c>'], ['string', '"Ann"', '"a b é<"']],
    [
      'characters by their codes',
      [text('a_x000D_&#10;b'), '<c t="str"><v>x_x0009_y</v></c>', text('_x005F_x000D_ _x00_ _xZZZZ_')],
      ['string', '"a\\r\\nb"', '"x\\ty"', '"_x000D_ _x00_ _xZZZZ_"'],
    ],
    ['texts in place', [text(' sp '), text('5')], ['string', '" sp "', '"5"']],
    [
      'dates',
      ['<c s="1"><v>45293</v></c>', '<c s="8"><v>1</v></c>', '<c s="1"><v>61</v></c>'],
      ['date', '"2024-01-02"', '"1900-01-01"', '"1900-03-01"'],
    ],
    [
      'moments',
      ['<c s="2"><v>45293.5</v></c>', '<c s="7"><v>45293</v></c>'],
      ['timestamp', '"2024-01-02T12:00:00.000"', '"2024-01-02T00:00:00.000"'],
    ],
    ['times', ['<c s="3"><v>0.5</v></c>', '<c s="3"><v>0.999988425925926</v></c>'], ['time', '"12:00:00.000"', '"23:59:59.000"']],
    ['a time that rounds up to the next second', ['<c s="2"><v>45293.4999999999</v></c>'], ['timestamp', '"2024-01-02T12:00:00.000"']],
    ['elapsed hours are numbers', ['<c s="4"><v>1.5</v></c>'], ['double', '1.5']],
    [
      'dates as ISO text',
      ['<c t="d"><v>2024-01-02</v></c>', '<c t="d"><v>2024-01-02T03:04:05</v></c>'],
      ['timestamp', '"2024-01-02T00:00:00.000"', '"2024-01-02T03:04:05.000"'],
    ],
    ['dates that are no days', ['<c s="1"><v>-1</v></c>', '<c s="1"><v>9999999</v></c>'], ['int', '-1', '9999999']],
    ['what formulas gave', ['<c><f>A1+1</f><v>3</v></c>', '<c><f>A2</f><v>4</v></c>'], ['int', '3', '4']],
    [
      'texts that formulas gave',
      ['<c t="str"><f>"x"&amp;1</f><v>x1</v></c>', '<c t="str"><f>""</f><v></v></c>'],
      ['string nullable', '"x1"', 'null'],
    ],
    ['formulas that were never computed', ['<c><f>A1</f></c>', '<c><v>1</v></c>'], ['int nullable', 'null', '1']],
    ['errors', ['<c t="e"><v>#DIV/0!</v></c>', '<c t="e"><f>1/0</f><v>#N/A</v></c>'], ['string', '"#DIV/0!"', '"#N/A"']],
    ['an error among numbers', ['<c t="e"><v>#REF!</v></c>', '<c><v>5</v></c>'], ['string', '"#REF!"', '"5"']],
    [
      'empty cells',
      ['<c/>', '<c s="1"/>', '<c><v></v></c>', text(''), '<c><v>7</v></c>'],
      ['int nullable', 'null', 'null', 'null', 'null', '7'],
    ],
    ['nothing but empty cells', ['<c/>', '<c/>'], ['string nullable', 'null', 'null']],
    ['several kinds', ['<c><v>1</v></c>', text('x'), '<c t="b"><v>1</v></c>'], ['string', '"1"', '"x"', '"true"']],
    ['dates among numbers', ['<c s="1"><v>45293</v></c>', '<c><v>5</v></c>'], ['string', '"2024-01-02"', '"5"']],
  ])('%s', async (_, cells, expected) => {
    const strings = ['<t>Ann</t>', '<r><t>a </t></r><r><rPr><b/></rPr><t>b é&lt;</t></r><rPh sb="0" eb="1"><t>ei</t></rPh>'];
    expect(await column(cells, { formats: FORMATS, strings })).toEqual(expected);
  });

  it('count their days from 1904 where the workbook says so', async () => {
    const cells = ['<c s="1"><v>43831</v></c>', '<c s="1"><v>0</v></c>'];
    expect(await column(cells, { formats: FORMATS, is1904: true })).toEqual(['date', '"2024-01-02"', '"1904-01-01"']);
  });
});

describe('rows and columns', () => {
  const numbers = (...values: readonly number[]): string => row(...values.map((value) => `<c><v>${value}</v></c>`));

  test.each([
    [
      'cells stand where they say',
      '<row r="2"><c r="B2"><v>2</v></c><c r="D2"><v>4</v></c></row>',
      '',
      ['{"_1":null,"_2":2,"_3":null,"_4":4}'],
    ],
    [
      'rows that are left out are none',
      '<row r="3"><c r="A3"><v>1</v></c></row><row r="7"><c r="A7"><v>2</v></c></row>',
      '',
      ['{"_1":1}', '{"_1":2}'],
    ],
    ['rows without cells are none', `${row()}${numbers(1)}<row r="3"><c/></row>${numbers(2)}`, '', ['{"_1":1}', '{"_1":2}']],
    ['a header has its names made different', row(text('a'), text('A'), text('a')) + numbers(1, 2, 3), '', ['{"a":1,"A":2,"a_2":3}']],
    ['a header may have empty cells', row('<c/>', text('a'), '<c/>', text('b')) + numbers(0, 1, 2, 3), '', ['{"_1":0,"a":1,"_3":2,"b":3}']],
    [
      'a first row with a number is no header',
      row(text('a'), '<c><v>1</v></c>') + numbers(2, 3),
      '',
      ['{"_1":"a","_2":1}', '{"_1":"2","_2":3}'],
    ],
    [
      'texts alone are no header where the option says so',
      row(text('a')) + row(text('b')),
      ', has_header := false',
      ['{"_1":"a"}', '{"_1":"b"}'],
    ],
    ['numbers are a header where the option says so', numbers(1, 2) + numbers(3, 4), ', has_header := true', ['{"1":3,"2":4}']],
    ['rows before the header are passed over', row(text('made by x')) + row(text('a')) + numbers(5), ', skip := 1', ['{"a":5}']],
    ['rows longer than the header have names by place', row(text('a')) + numbers(1, 2), '', ['{"a":1,"_2":2}']],
    ['a header alone', row(text('a')), '', []],
    ['nothing', '', '', []],
  ])('%s', async (_, rows, options, expected) => {
    expect((await ask({ sheets: { one: rows } }, `READ("file:book.xlsx"${options})`)).slice(1)).toEqual(expected);
  });

  test.each([
    ['', ['{"a":1}']],
    [', sheet := "two"', ['{"b":2}']],
    [', sheet := "TWO"', ['{"b":2}']],
    [', sheet := "Größe &amp; mehr"', ['! file:book.xlsx: there is no sheet Größe &amp; mehr: expected one of one, two, Größe & mehr']],
    [', sheet := "Größe & mehr"', ['{"c":3}']],
  ])('of the sheet that is asked for: %s', async (options, expected) => {
    const sheets = Object.fromEntries(
      (['one', 'two', 'Größe &amp; mehr'] as const).map((name, i) => [name, row(text('abc'.charAt(i))) + numbers(i + 1)]),
    );
    expect((await ask({ sheets }, `READ_EXCEL("file:book.xlsx"${options})`)).slice(1)).toEqual(expected);
  });

  test.each([
    ['record(A: long, b: string)', ['{"A":1,"b":"2024-01-02"}', '{"A":2,"b":"x"}']],
    ['record(b: string nullable, none: int nullable)', ['{"b":"2024-01-02","none":null}', '{"b":"x","none":null}']],
    ['record(a: decimal, b: any)', ['{"a":1,"b":"2024-01-02"}', '{"a":2,"b":"x"}']],
    ['record(b: date)', ["! file:book.xlsx: row 3: b: 'x' is no date"]],
    ['record(b: timestamp nullable)', ["! file:book.xlsx: row 3: b: 'x' is no timestamp"]],
    ['record(none: int)', ['! file:book.xlsx: the sheet has no column none']],
  ])('told %s', async (type, expected) => {
    const rows = row(text('a'), text('b')) + row('<c><v>1</v></c>', '<c s="1"><v>45293</v></c>') + row('<c><v>2</v></c>', text('x'));
    const query = `READ("file:book.xlsx" AS collection(${type}))`;
    expect((await ask({ formats: [14], sheets: { one: rows } }, query)).slice(1)).toEqual(expected);
  });

  it('a row that is wider than what was looked at is an error that names it', async () => {
    const rows = row(text('a')) + numbers(1) + numbers(2, 3);
    expect((await ask({ sheets: { one: rows } }, 'READ("file:book.xlsx", sample_size := 1)'))[1]).toBe(
      '! file:book.xlsx: row 3 has a cell beyond the 1 columns that were found: a larger sample_size finds more',
    );
  });
});
