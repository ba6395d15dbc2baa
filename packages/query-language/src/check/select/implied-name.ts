import type { Expression } from '../../syntax/ast.ts';

/** The name that an item or a source without AS has by itself: `x.f` gives `f`, `x` gives `x`. */
export function impliedName(value: Expression): string | null {
  if (value.kind === 'NameExpression') return value.name.text;
  return value.kind === 'FieldAccess' ? value.field.text : null;
}
