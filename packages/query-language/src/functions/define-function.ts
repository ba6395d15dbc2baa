import type { TypeExpression } from '../syntax/ast.ts';
import { parseTypeExpression } from '../syntax/parse.ts';
import { hydrateType } from '../types/hydrate.ts';
import type { FunctionDefinition, FunctionExample, FunctionKind, Overload, TypePattern } from './function-definition.ts';

const HOLES = new Set(['T', 'U', 'V', 'N', 'I', 'K', 'M']);

/** A record as it is written in a family: signatures as text, `?` before an optional parameter, `…` after a repeated one. */
export interface FunctionRecord {
  readonly name: string;
  readonly kind?: FunctionKind;
  readonly summary: string;
  readonly signatures: readonly string[];
  readonly examples: readonly (readonly [query: string, result: string])[];
}

/** Makes the definitions of one family. A signature that cannot be read is our fault and throws when the room is loaded. */
export function defineFamily(family: string, records: readonly FunctionRecord[]): readonly FunctionDefinition[] {
  return records.map((record) => ({
    name: record.name,
    family,
    kind: record.kind ?? 'scalar',
    summary: record.summary,
    examples: record.examples.map(([query, result]): FunctionExample => ({ query, result })),
    overloads: record.signatures.map(readSignature),
  }));
}

function readSignature(text: string): Overload {
  const isVariadic = text.includes('…');
  const optional = new Set([...text.matchAll(/\?(\w+):/g)].map((match) => match[1] ?? ''));
  const { tree } = parseTypeExpression(text.replaceAll('?', '').replace('…', ''));
  if (tree?.kind !== 'FunctionTypeExpression') throw new Error(`not a signature: ${text}`);
  return {
    id: text,
    isVariadic,
    result: toPattern(tree.result),
    parameters: tree.parameters.map((parameter) => ({
      name: parameter.name?.text ?? null,
      pattern: toPattern(parameter.type),
      isOptional: optional.has(parameter.name?.text ?? ''),
    })),
  };
}

function toPattern(written: TypeExpression): TypePattern {
  if (written.kind === 'NamedTypeExpression' && HOLES.has(written.name.text))
    return { kind: 'Hole', name: written.name.text, isNullable: written.isNullable };
  if (written.kind === 'CollectionTypeExpression')
    return { kind: 'CollectionPattern', element: toPattern(written.element), isNullable: written.isNullable };
  const { type, problems } = hydrateType(written, () => null);
  if (problems.length > 0) throw new Error('a signature names an unknown type');
  return { kind: 'Concrete', type };
}
