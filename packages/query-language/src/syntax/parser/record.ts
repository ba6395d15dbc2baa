import type { RecordExpression, RecordField } from '../ast.ts';
import { refuseBareSelect } from './bare-select.ts';
import type { Parser } from './parser.ts';

/** `( [name:] e {, [name:] e} )`; also of one field, for INTO. */
export function parseRecord(p: Parser): RecordExpression {
  const start = p.expectSymbol('(');
  if (p.optionalSymbol(')') !== null) return { kind: 'RecordExpression', span: p.spanFrom(start), fields: [] };
  let count = 0;
  const fields = p.nested(true, () =>
    p.many(() => {
      const field = parseField(p);
      count += 1;
      const isWhole = count === 1 && field.name === null && p.isSymbol(')'); // `(SELECT 1 AS a, 2 AS b)`: the parentheses are its own
      if (!isWhole) refuseBareSelect(p, field.value, count);
      return field;
    }),
  );
  p.expectSymbol(')');
  return { kind: 'RecordExpression', span: p.spanFrom(start), fields };
}

function parseField(p: Parser): RecordField {
  const start = p.peek();
  const name = p.optionalNameBefore(':');
  const value = p.parseExpression();
  return { kind: 'RecordField', span: p.spanFrom(start), name, value };
}
