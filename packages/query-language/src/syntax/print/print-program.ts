import type { Import, Program } from '../ast.ts';
import { printDeclaration, printExpression } from './print-expression.ts';
import { printName } from './print-type.ts';

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
