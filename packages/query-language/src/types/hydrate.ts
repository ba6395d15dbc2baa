import { assertNever } from '../assert-never.ts';
import type { DiagnosticArguments, DiagnosticCode } from '../diagnostics/diagnostic-messages.ts';
import type { Name, NamedTypeExpression, TypeExpression } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import { typeOfSql } from './types-of-sql.ts';
import { suggest } from '../text/suggest.ts';
import type { PrimitiveName, Type } from './type.ts';
import { anyType, collectionOf, errorType, nullable, primitive, recordOf } from './types.ts';
import { ownValue } from '../own-value.ts';

/** A fault in a written type, to be reported by the caller. */
export type TypeProblem = {
  [C in DiagnosticCode]: { readonly code: C; readonly spans: readonly Span[]; readonly details: DiagnosticArguments<C> };
}[DiagnosticCode];

const SYNONYMS: Readonly<Record<string, PrimitiveName>> = {
  byte: 'byte',
  tinyint: 'byte',
  short: 'short',
  smallint: 'short',
  int: 'int',
  integer: 'int',
  long: 'long',
  bigint: 'long',
  float: 'float',
  real: 'float',
  double: 'double',
  decimal: 'decimal',
  numeric: 'decimal',
  bool: 'bool',
  boolean: 'bool',
  string: 'string',
  varchar: 'string',
  char: 'string',
  character: 'string',
  text: 'string',
  int2: 'short',
  int4: 'int',
  int8: 'long',
  float4: 'float',
  float8: 'double',
  timestamptz: 'timestamp',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  interval: 'interval',
  binary: 'binary',
  regex: 'regex',
};

/** Maximum number of faults of one type that suggest a name. */
const MOST_SUGGESTIONS = 100;

/** Maximum number of fields of a written record type. */
const MOST_FIELDS = 2000;

/** Resolves a written type. A name that is not a type resolves to the error type. */
export function hydrateType(
  written: TypeExpression,
  findNamed: (name: Name) => Type | null,
): { readonly type: Type; readonly problems: readonly TypeProblem[] } {
  const problems: TypeProblem[] = [];
  const visit = (expression: TypeExpression): Type => {
    const type = visitForm(expression);
    return expression.isNullable ? nullable(type) : type;
  };
  const visitForm = (expression: TypeExpression): Type => {
    switch (expression.kind) {
      case 'NamedTypeExpression':
        return visitName(expression);
      case 'CollectionTypeExpression':
        return collectionOf(visit(expression.element));
      case 'RecordTypeExpression': {
        const { length } = expression.fields;
        if (length > MOST_FIELDS) {
          problems.push({ code: 'too-many-fields', spans: [expression.span], details: [length, MOST_FIELDS] });
          return errorType;
        }
        const repeated = [...Map.groupBy(expression.fields, ({ name }) => name.text)]
          .map(([name, fields]) => [name, fields.map((field) => field.name.span)] as const)
          .filter(([, spans]) => spans.length > 1);
        for (const [name, spans] of repeated) problems.push({ code: 'repeated-field', spans, details: [name] });
        const fields = expression.fields.map((field) => ({ name: field.name.text, type: visit(field.type) }));
        return repeated.length > 0 ? errorType : recordOf(fields);
      }
      case 'FunctionTypeExpression':
        return {
          kind: 'FunctionType',
          isNullable: false,
          result: visit(expression.result),
          parameters: expression.parameters.map((parameter) => ({
            name: parameter.name?.text ?? null,
            type: visit(parameter.type),
            isOptional: false,
          })),
        };
      default:
        return assertNever(expression);
    }
  };
  const visitName = ({ name, sizes, span }: NamedTypeExpression): Type => {
    const named = findNamed(name);
    if (named !== null) return named;
    const folded = name.text.toLowerCase();
    const known = name.isQuoted ? undefined : ownValue(SYNONYMS, folded);
    if (known === 'decimal' && sizes.length > 0) problems.push({ code: 'sized-decimal', spans: [span], details: [] });
    if (known !== undefined) return primitive(known);
    if (folded === 'any' && !name.isQuoted) return anyType;
    problems.push({
      code: 'unknown-type',
      spans: [name.span],
      details: [
        name.text,
        problems.length < MOST_SUGGESTIONS ? (typeOfSql(name.text) ?? suggest(name.text, [...Object.keys(SYNONYMS), 'any'])) : null,
      ],
    });
    return errorType;
  };
  return { type: visit(written), problems };
}
