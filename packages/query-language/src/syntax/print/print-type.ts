import { assertNever } from '../../assert-never.ts';
import type { Name, TypeExpression } from '../ast.ts';

/** A name as written. */
export function printName(name: Name): string {
  return name.isQuoted ? `\`${name.text.replaceAll('`', '``')}\`` : name.text;
}

/** A type as it would be written. */
export function printTypeExpression(type: TypeExpression): string {
  const form = printForm(type);
  if (!type.isNullable) return form;
  return `${type.kind === 'FunctionTypeExpression' ? `(${form})` : form} nullable`;
}

function printForm(type: TypeExpression): string {
  switch (type.kind) {
    case 'NamedTypeExpression':
      return printName(type.name) + (type.sizes.length === 0 ? '' : `(${type.sizes.join(', ')})`);
    case 'CollectionTypeExpression':
      return `collection(${printTypeExpression(type.element)})`;
    case 'RecordTypeExpression':
      return `record(${type.fields.map((field) => `${printName(field.name)}: ${printTypeExpression(field.type)}`).join(', ')})`;
    case 'FunctionTypeExpression': {
      const parameters = type.parameters.map(
        (parameter) => (parameter.name === null ? '' : `${printName(parameter.name)}: `) + printTypeExpression(parameter.type),
      );
      return `(${parameters.join(', ')}) -> ${printTypeExpression(type.result)}`;
    }
    default:
      return assertNever(type);
  }
}
