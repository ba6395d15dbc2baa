import type { Expression } from '../../syntax/ast.ts';

/** Returns the implicit name of an item or source without AS: `f` for `x.f`, `x` for `x`. */
export function impliedName(value: Expression): string | null {
  if (value.kind === 'NameExpression') return value.name.text;
  return value.kind === 'FieldAccess' ? value.field.text : null;
}
