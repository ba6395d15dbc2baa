import type { BlockExpression, DataDeclaration, Declaration, FunctionDeclaration, TypeDeclaration } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import type { Span } from '../text/span.ts';
import { errorType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, isFaulty } from './operand.ts';
import { report, usedAt } from './check-context.ts';
import { newEntry, once } from './checked-once.ts';
import type { Entry } from './checked-once.ts';
import { reportRepeated } from './repeated-names.ts';
import { fitOperand } from './fit-operand.ts';
import { makeFunctionValue } from './function-value.ts';
import type { LetHolder } from './let-holder.ts';
import { bind } from './bind.ts';
import { createLetHolder, wrapLets } from './let-holder.ts';
import { areParametersFaulty } from './parameters.ts';
import { neededDeclarations } from './needed-declarations.ts';
import type { Operand } from './operand.ts';
import type { Candidate, DeclarationScope, FunctionCandidate, Scope } from './scope.ts';
import { createScope } from './scope.ts';
import { namedRowsOf } from './select/named-rows.ts';
import { checkType } from './written-type.ts';

/** `{ declarations expression }`. */
export function checkBlock(context: CheckContext, node: BlockExpression, scope: Scope): Operand {
  reportAnnotationsInBlock(context, node.declarations);
  const holder = createLetHolder();
  const block = openDeclarations(context, node.declarations, scope, holder);
  block.checkAll();
  const result = context.checkOperand(node.result, block.scope);
  return result.kind === 'FunctionValue' || isFaulty(result) ? result : wrapLets(holder, result);
}

/** Reports endpoint annotations in a block: only public declarations of a program can be endpoints. */
function reportAnnotationsInBlock(context: CheckContext, declarations: readonly Declaration[]): void {
  for (const declaration of declarations)
    if (declaration.kind !== 'TypeDeclaration')
      for (const { name } of declaration.annotations) report(context, 'misplaced-annotation', name.span, name.text);
}

/** Opens a scope of declarations; the values that are used are bound in `holder`. */
export function openDeclarations(
  context: CheckContext,
  declarations: readonly Declaration[],
  parent: Scope | null,
  holder: LetHolder,
): DeclarationScope {
  const data = ofKind(declarations, 'DataDeclaration').map((one): DataEntry => newEntry(one));
  const functions = ofKind(declarations, 'FunctionDeclaration').map((one): FunctionEntry => newEntry(one));
  const types = ofKind(declarations, 'TypeDeclaration').map((one): TypeEntry => newEntry(one));
  const values = [
    ...data.map((entry) => ({ declaration: entry.declaration, check: () => dataOf(block, entry) })),
    ...functions.map((entry) => ({ declaration: entry.declaration, check: () => functionOf(block, entry) })),
  ].toSorted((a, b) => a.declaration.span.start - b.declaration.span.start);
  const scope: Scope = createScope(parent, {
    find: (matches) => candidatesOf(block, data.filter(isNamed(matches)), functions.filter(isNamed(matches)), repeated),
    names: () => declarations.map((declaration) => declaration.name.text),
    findType: (matches) => {
      const type = types.find(isNamed(matches));
      return type === undefined ? null : typeOf(block, type);
    },
  });
  const block: Block = { context, scope, holder };
  const repeated = reportRepeated(context, declarations, ({ parameters }) => parameters.map(({ type }) => parameterType(block, type)));
  return {
    scope,
    checkAll: () => {
      for (const type of types) typeOf(block, type);
      for (const { check } of values) check();
    },
    checkNeeded: (names) => {
      const needed = neededDeclarations(declarations, names);
      for (const { declaration, check } of values) if (needed.has(declaration)) check();
    },
  };
}

function ofKind<Kind extends Declaration['kind']>(
  declarations: readonly Declaration[],
  kind: Kind,
): readonly Extract<Declaration, { readonly kind: Kind }>[] {
  return declarations.filter((one): one is Extract<Declaration, { readonly kind: Kind }> => one.kind === kind);
}

function isNamed(matches: (name: string) => boolean): (entry: { readonly declaration: Declaration }) => boolean {
  return ({ declaration }) => matches(declaration.name.text);
}

/** The scope that resolves a block's declarations and the holder that binds their values. */
interface Block {
  readonly context: CheckContext;
  readonly scope: Scope;
  readonly holder: LetHolder;
}

type DataEntry = Entry<DataDeclaration, Operand>;
type FunctionEntry = Entry<FunctionDeclaration, Operand>;
type TypeEntry = Entry<TypeDeclaration, Type>;

/**
 * Returns the candidates of a name: data, or the overloads of a function as one candidate. Repeated declarations have been
 * reported already.
 */
function candidatesOf(
  block: Block,
  data: readonly DataEntry[],
  functions: readonly FunctionEntry[],
  repeated: ReadonlySet<string>,
): readonly Candidate[] {
  const candidates = [...data.map((entry) => dataCandidate(block, entry)), ...overloadCandidates(block, functions)];
  const [first] = candidates;
  const isReported = first !== undefined && candidates.length > 1 && repeated.has(first.name.toLowerCase());
  return isReported ? [{ name: first.name, isFunction: first.isFunction, use: errorPlan }] : candidates;
}

function dataCandidate(block: Block, entry: DataEntry): Candidate {
  const { name, value, type } = entry.declaration;
  const candidate = { name: name.text, use: (span: Span): Operand => usedAt(block.context, dataOf(block, entry), span) };
  return type === null ? { ...candidate, rows: namedRowsOf(value, block.scope) } : candidate;
}

function overloadCandidates(block: Block, entries: readonly FunctionEntry[]): readonly Candidate[] {
  const [first] = entries;
  if (first === undefined) return [];
  const overloads = entries.map((entry): FunctionCandidate => ({
    parameters: entry.declaration.parameters.map((parameter) => ({
      name: parameter.name.text,
      type: parameterType(block, parameter.type),
      hasDefault: parameter.defaultValue !== null,
    })),
    isPrivate: entry.declaration.isPrivate,
    value: () => functionOf(block, entry),
  }));
  return [{ name: first.declaration.name.text, isFunction: true, overloads, use: (span) => ({ ...functionOf(block, first), span }) }];
}

function parameterType({ context, scope }: Block, written: FunctionDeclaration['parameters'][number]['type']): Type {
  return written === null ? errorType : checkType(context, written, scope);
}

function dataOf({ context, scope, holder }: Block, entry: DataEntry): Operand {
  const { name, type: written, value } = entry.declaration;
  return once(context, entry, () => {
    const type = written === null ? null : checkType(context, written, scope);
    const checked = context.checkOperand(value, scope, type);
    const typed = type === null ? checked : fitOperand(context, checked, type, value.span);
    return typed.kind === 'FunctionValue' || isFaulty(typed) ? typed : bind(context, holder, { name: name.text, value: typed });
  });
}

function functionOf(block: Block, entry: FunctionEntry): Operand {
  const { context, scope } = block;
  const { name, parameters, body, resultType } = entry.declaration;
  return once(context, entry, () => {
    if (areParametersFaulty(context, parameters)) return errorPlan(name.span);
    const untyped = parameters.find((parameter) => parameter.type === null);
    if (untyped !== undefined) return report(context, 'parameter-type-needed', untyped.span, untyped.name.text);
    const value = makeFunctionValue(context, {
      span: name.span,
      body,
      scope,
      isBoundary: true,
      parameters: parameters.map((parameter) => ({
        name: parameter.name.text,
        type: parameterType(block, parameter.type),
        defaultValue: parameter.defaultValue,
      })),
      resultType: resultType === null ? null : checkType(context, resultType, scope),
      resultTypeSpan: body.span,
    });
    return value ?? errorPlan(name.span);
  });
}

function typeOf({ context, scope }: Block, entry: TypeEntry): Type {
  const { name, type } = entry.declaration;
  if (entry.state === 'done') return entry.value ?? errorType;
  if (entry.state === 'checking') {
    report(context, 'defined-by-itself', name.span, name.text);
    return errorType;
  }
  entry.state = 'checking';
  entry.value = checkType(context, type, scope);
  entry.state = 'done';
  return entry.value;
}
