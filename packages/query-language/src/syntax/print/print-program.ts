import type { Declaration, Import, Parameter, Program } from '../ast.ts';
import { printArgument, printExpression, printOperand } from './print-expression.ts';
import { printName, printTypeExpression } from './print-type.ts';

/** A program as text that parses back to the same tree. */
export function printProgram({ imports, declarations, result }: Program): string {
  return [...imports.map(printImport), ...declarations.map(printDeclaration), ...(result === null ? [] : [printExpression(result)])].join(
    '\n',
  );
}

function printImport(node: Import): string {
  const as = (alias: Parameters<typeof printName>[0] | null): string => (alias === null ? '' : ` AS ${printName(alias)}`);
  if (node.kind === 'ImportPackage') return `IMPORT ${printName(node.packageName)}${as(node.alias)};`;
  return `FROM ${printName(node.packageName)} IMPORT ${node.names.map(({ name, alias }) => printName(name) + as(alias)).join(', ')};`;
}

/** A declaration with its `;`. */
export function printDeclaration(declaration: Declaration): string {
  const head =
    (declaration.isPrivate ? 'PRIVATE ' : '') + (declaration.kind === 'TypeDeclaration' ? 'TYPE ' : '') + printName(declaration.name);
  if (declaration.kind === 'TypeDeclaration') return `${head} := ${printTypeExpression(declaration.type)};`;
  const annotations = declaration.annotations
    .map(({ name, arguments: args }) => `@${printName(name)}(${args.map(printArgument).join(', ')}) `)
    .join('');
  const isData = declaration.kind === 'DataDeclaration';
  const parameters = isData ? '' : `(${declaration.parameters.map(printParameter).join(', ')})`;
  const type = isData ? declaration.type : declaration.resultType;
  const value = isData ? declaration.value : declaration.body;
  return `${annotations}${head}${parameters}${type === null ? '' : `: ${printTypeExpression(type)}`} := ${printExpression(value)};`;
}

/** `name [: type] [:= default]` */
export function printParameter({ name, type, defaultValue }: Parameter): string {
  return (
    printName(name) +
    (type === null ? '' : `: ${printTypeExpression(type)}`) +
    (defaultValue === null ? '' : ` := ${printOperand(defaultValue)}`)
  );
}
