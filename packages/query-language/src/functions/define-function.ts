import type { Expression, TypeExpression } from '../syntax/ast.ts';
import { parseProgram, parseTypeExpression } from '../syntax/parse.ts';
import { hydrateType } from '../types/hydrate.ts';
import type { FunctionDefinition, FunctionExample, FunctionKind, Overload, TypePattern } from './function-definition.ts';
import type { FunctionFacts } from './function-facts.ts';

const HOLES = new Set(['T', 'U', 'V', 'N', 'I', 'K', 'M', 'R']);

/** A record of a family: signatures as text, with `:= literal` after an optional parameter and `…` after a repeated one. */
export interface FunctionRecord extends FunctionFacts {
  readonly name: string;
  /** Names in other dialects of SQL with the same meaning. */
  readonly aliases?: readonly string[];
  readonly kind?: FunctionKind;
  /** Overrides the default of the kind: scalar functions can fail, aggregates and windows cannot. */
  readonly canFail?: boolean;
  readonly summary: string;
  /** Overrides the NULL behaviour of the kind. */
  readonly nulls?: string;
  readonly signatures: readonly string[];
  readonly examples: readonly (readonly [query: string, result: string])[];
}

/** NULL behaviour of each kind, unless the record overrides it. */
const NULLS: Readonly<Record<FunctionKind, string>> = {
  scalar: 'NULL where an argument is NULL',
  special: 'NULL where an argument is NULL',
  aggregate: 'NULLs are left out; NULL of nothing',
  window: 'NULL counts as a value',
};

/** Builds the definitions of one family. Throws at load time if a signature does not parse. */
export function defineFamily(family: string, records: readonly FunctionRecord[]): readonly FunctionDefinition[] {
  return records.map((record) => {
    const { kind = 'scalar', aliases = [], canFail = kind === 'scalar' || kind === 'special', ...others } = record;
    return {
      ...others,
      aliases,
      family,
      kind,
      canFail,
      nulls: record.nulls ?? (record.signatures.every((text) => text.startsWith('()')) ? 'never NULL' : NULLS[kind]),
      examples: record.examples.map(([query, result]): FunctionExample => ({ query, result })),
      overloads: record.signatures.map((text) => readSignature(text, kind === 'special')),
    };
  });
}

const DEFAULT = /(\w+)(:[^,()]*?) := ("[^"]*"|-?\w+)/g;

function readSignature(text: string, allowsOpaque: boolean): Overload {
  const defaults = new Map([...text.matchAll(DEFAULT)].map((match) => [match[1] ?? '', readDefault(match[3] ?? '')]));
  const { tree } = parseTypeExpression(text.replaceAll(DEFAULT, '$1$2').replace('…', ''));
  if (tree?.kind !== 'FunctionTypeExpression') throw new Error(`not a signature: ${text}`);
  return {
    id: text,
    isVariadic: text.includes('…'),
    result: toPattern(tree.result, allowsOpaque),
    parameters: tree.parameters.map((parameter) => ({
      name: parameter.name?.text ?? null,
      pattern: toPattern(parameter.type, allowsOpaque),
      defaultValue: defaults.get(parameter.name?.text ?? '') ?? null,
    })),
  };
}

function readDefault(text: string): Expression {
  const result = parseProgram(text).tree?.result;
  if (result === null || result === undefined) throw new Error(`not a literal: ${text}`);
  return result;
}

function toPattern(written: TypeExpression, allowsOpaque: boolean): TypePattern {
  if (written.kind === 'NamedTypeExpression' && HOLES.has(written.name.text))
    return { kind: 'Hole', name: written.name.text, isNullable: written.isNullable };
  if (written.kind === 'CollectionTypeExpression')
    return { kind: 'CollectionPattern', element: toPattern(written.element, allowsOpaque), isNullable: written.isNullable };
  const { type, problems } = hydrateType(written, () => null);
  if (problems.length === 0) return { kind: 'Concrete', type };
  if (!allowsOpaque) throw new Error('a signature names an unknown type');
  return { kind: 'OpaquePattern', isNullable: written.isNullable };
}
