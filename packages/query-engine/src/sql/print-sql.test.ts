import { printSql, sqlText } from './print-sql.ts';
import { materialized, select, subquery } from './select.ts';
import { castTo, columnRef, located, memberOf, SQL, textLiteral, variableRef, verbatim } from './sql.ts';

describe('printSql', () => {
  it('quotes names and texts', () => {
    expect(sqlText(columnRef('a "b"'))).toBe('"a ""b"""');
    expect(sqlText(textLiteral("it's"))).toBe("'it''s'");
    expect(sqlText(SQL`f(${castTo(textLiteral('1'), 'DATE')}, ${memberOf(variableRef('x'), 'v')}, ${2})`)).toBe(
      "f(CAST('1' AS DATE), x.v, 2)",
    );
  });

  it('returns the places of located SQL by line', () => {
    const [first, second] = [
      { start: 0, end: 1 },
      { start: 2, end: 3 },
    ];
    const { text, places } = printSql(SQL`f(${located(verbatim('a'), first)}, ${located(verbatim('b'), second)})`);
    expect([...places]).toEqual([
      [text.split('\n').indexOf('a'), first],
      [text.split('\n').indexOf('b'), second],
    ]);
  });

  it('makes one blank of a line break and the blanks after it in a template', () => {
    expect(
      sqlText(SQL`CASE
        WHEN ${variableRef('x')}
        THEN 1 END`),
    ).toBe('CASE WHEN x THEN 1 END');
  });

  it('keeps the line breaks of a text', () => {
    expect(sqlText(textLiteral('a\n  b'))).toContain('\n  b');
  });
});

describe('select', () => {
  const from = verbatim('t');

  it('leaves out clauses that are absent', () => {
    expect(sqlText(select({ takesAll: true, from, groupBy: null, limit: null }))).toBe('SELECT * FROM t');
  });

  it('prints all clauses in order', () => {
    const query = select({
      isDistinct: true,
      takesAll: true,
      items: [verbatim('1 AS x')],
      from,
      where: [verbatim('a'), verbatim('b')],
      groupBy: verbatim('g'),
      orderBy: [verbatim('o'), verbatim('p')],
      limit: verbatim('3'),
      offset: verbatim('4'),
    });
    expect(sqlText(query)).toBe('SELECT DISTINCT *, 1 AS x FROM t WHERE a AND b GROUP BY g ORDER BY o, p LIMIT 3 OFFSET 4');
  });

  it('stands in parentheses', () => {
    expect(sqlText(subquery(verbatim('q')))).toBe('(q)');
    expect(sqlText(materialized(columnRef('t1'), verbatim('q')))).toMatch(/^"?t1"? AS MATERIALIZED \(q\)$/);
  });
});
