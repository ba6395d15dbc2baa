import { assertNever } from '../assert-never.ts';
import type { Type } from './type.ts';

/** Reserved words, which types write in back-ticks as names. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  `SELECT FROM WHERE GROUP BY HAVING ORDER UNION INTERSECT EXCEPT JOIN ON AS DISTINCT ALL AND
  OR NOT IN IS LIKE BETWEEN CASE WHEN THEN ELSE END IF NULL TRUE FALSE CAST TRY_CAST INTO PARSE IMPORT PRIVATE`.split(/\s+/),
);

/** Prints a type in canonical form: parsing it returns the same type. */
export function printType(type: Type): string {
  const suffix = type.isNullable ? ' nullable' : '';
  switch (type.kind) {
    case 'PrimitiveType':
      return type.name + suffix;
    case 'AnyType':
      return `any${suffix}`;
    case 'CollectionType':
      return `collection(${printType(type.element)})${suffix}`;
    case 'RecordType':
      return `record(${type.fields.map((field) => `${quoteName(field.name)}: ${printType(field.type)}`).join(', ')})${suffix}`;
    case 'FunctionType': {
      const parameters = type.parameters.map(
        (parameter) => (parameter.name === null ? '' : `${quoteName(parameter.name)}: `) + printType(parameter.type),
      );
      const text = `(${parameters.join(', ')}) -> ${printType(type.result)}`;
      return type.isNullable ? `(${text})${suffix}` : text;
    }
    case 'ErrorType':
      return 'unknown';
    default:
      return assertNever(type);
  }
}

/** Prints a type in a message, without a result that may be any type. */
export function printFunctionType(type: Type): string {
  return printType(type).replace(/ -> unknown$/, ' -> …');
}

/** Prints a name, in back-ticks if it is reserved or not a plain identifier. */
export function quoteName(name: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(name) && !RESERVED_WORDS.has(name.toUpperCase());
  return isPlain ? name : `\`${name.replaceAll('`', '``')}\``;
}
