import type { RecordExpression, RecordField } from '../ast.ts';
import { refuseBareSelect } from './bare-select.ts';
import type { Parser } from './parser.ts';
import { expectSymbol, isSymbol, many, nested, optionalSymbol, peek, spanFrom, take, toName } from './token-reader.ts';

/** `( [name:] e {, [name:] e} )`; also of one field, for INTO. */
export function parseRecord(p: Parser): RecordExpression {
  const start = expectSymbol(p, '(');
  if (optionalSymbol(p, ')') !== null) return { kind: 'RecordExpression', span: spanFrom(p, start), fields: [] };
  let count = 0;
  const fields = nested(p, true, () =>
    many(p, () => {
      const field = parseField(p);
      count += 1;
      refuseBareSelect(p, field.value, count);
      return field;
    }),
  );
  expectSymbol(p, ')');
  return { kind: 'RecordExpression', span: spanFrom(p, start), fields };
}

function parseField(p: Parser): RecordField {
  const start = peek(p);
  const isNamed = (start.kind === 'word' || start.kind === 'quoted') && isSymbol(peek(p, 1), ':');
  const name = isNamed ? toName(take(p)) : null;
  if (isNamed) take(p);
  const value = p.parseExpression();
  return { kind: 'RecordField', span: spanFrom(p, start), name, value };
}
