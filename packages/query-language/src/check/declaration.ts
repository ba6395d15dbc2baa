import type { BlockExpression, DataDeclaration, Declaration, FunctionDeclaration, TypeDeclaration } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { errorType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { errorPlan, report, usedAt } from './check-context.ts';
import { reportRepeated } from './repeated-names.ts';
import { checkExpecting, fitOperand } from './expected-operand.ts';
import { checkOperand } from './expression.ts';
import { makeFunctionValue } from './function-value.ts';
import type { LetHolder } from './let-holder.ts';
import { bind, createLetHolder, wrapLets } from './let-holder.ts';
import { areParametersFaulty } from './parameters.ts';
import { reportAnnotationsInBlock } from './public-functions.ts';
import { neededDeclarations } from './needed-declarations.ts';
import type { Operand } from './operand.ts';
import { isFaulty } from './operand.ts';
import type { Candidate, FunctionCandidate, Scope } from './scope.ts';
import { createScope } from './scope.ts';
import { checkType } from './written-type.ts';

/** A declaration on its way: checked when it is first needed, and at the latest when its block ends. */
interface Entry<D extends Declaration, V> {
  readonly declaration: D;
  /** It needs itself: reported, and of no value. */
  isCyclic: boolean;
  state: 'checking' | 'done' | null;
  value: V | null;
}

function newEntry<D extends Declaration, V>(declaration: D): Entry<D, V> {
  return { declaration, isCyclic: false, state: null, value: null };
}

/** The names of a block: declarations may be used before they are written. */
export interface DeclarationScope {
  readonly scope: Scope;
  /** Checks all of them in the order of the text, so that one which uses many others before it is no deep recursion. */
  readonly checkAll: () => void;
  /** The same for those that some names need, directly and through others. Names are in lower case. */
  readonly checkNeeded: (names: Iterable<string>) => void;
}

/** `{ declarations expression }`. */
export function checkBlock(context: CheckContext, node: BlockExpression, scope: Scope): Operand {
  reportAnnotationsInBlock(context, node.declarations);
  const holder = createLetHolder();
  const block = openDeclarations(context, node.declarations, scope, holder);
  block.checkAll();
  const result = checkOperand(context, node.result, block.scope);
  return result.kind === 'FunctionValue' || isFaulty(result) ? result : wrapLets(holder, result);
}

/** Opens a scope of declarations; the values that are used are bound in `holder`. */
export function openDeclarations(
  context: CheckContext,
  declarations: readonly Declaration[],
  parent: Scope | null,
  holder: LetHolder,
): DeclarationScope {
  const data: Entry<DataDeclaration, Operand>[] = [];
  const functions: Entry<FunctionDeclaration, Operand>[] = [];
  const types: Entry<TypeDeclaration, Type>[] = [];
  const inOrder: { readonly declaration: Declaration; readonly check: () => void }[] = [];
  for (const declaration of declarations) {
    if (declaration.kind === 'DataDeclaration') {
      const entry = newEntry<DataDeclaration, Operand>(declaration);
      data.push(entry);
      inOrder.push({ declaration, check: () => valueOf(entry) });
    } else if (declaration.kind === 'FunctionDeclaration') {
      const entry = newEntry<FunctionDeclaration, Operand>(declaration);
      functions.push(entry);
      inOrder.push({ declaration, check: () => functionOf(entry) });
    } else types.push(newEntry(declaration));
  }
  const scope: Scope = createScope(parent, {
    find: (matches) => {
      const found = [
        ...data.filter((entry) => matches(entry.declaration.name.text)).map((entry) => dataCandidate(entry)),
        ...overloadCandidates(functions.filter((entry) => matches(entry.declaration.name.text))),
      ];
      const [first] = found;
      const isReported = first !== undefined && found.length > 1 && repeated.has(first.name.toLowerCase());
      return isReported ? [{ name: first.name, isFunction: first.isFunction, use: errorPlan }] : found;
    },
    names: () => declarations.map((declaration) => declaration.name.text),
    findType: (matches) => {
      const entry = types.find((candidate) => matches(candidate.declaration.name.text));
      return entry === undefined ? null : typeOf(entry);
    },
    lets: holder,
  });

  const dataCandidate = (entry: Entry<DataDeclaration, Operand>): Candidate => ({
    name: entry.declaration.name.text,
    use: (span) => usedAt(context, valueOf(entry), span),
  });
  const overloadCandidates = (entries: readonly Entry<FunctionDeclaration, Operand>[]): readonly Candidate[] => {
    const [first] = entries;
    if (first === undefined) return [];
    const overloads = entries.map((entry): FunctionCandidate => ({
      parameters: entry.declaration.parameters.map((parameter) => ({
        name: parameter.name.text,
        type: parameterType(parameter.type),
        hasDefault: parameter.defaultValue !== null,
      })),
      isPrivate: entry.declaration.isPrivate,
      value: () => functionOf(entry),
    }));
    return [{ name: first.declaration.name.text, isFunction: true, overloads, use: (span) => ({ ...functionOf(first), span }) }];
  };
  const parameterType = (written: FunctionDeclaration['parameters'][number]['type']): Type =>
    written === null ? errorType : checkType(context, written, scope);

  const valueOf = (entry: Entry<DataDeclaration, Operand>): Operand =>
    once(context, entry, () => {
      const { declaration } = entry;
      const type = declaration.type === null ? null : checkType(context, declaration.type, scope);
      const value = checkExpecting(context, declaration.value, scope, type);
      const typed = type === null ? value : fitOperand(context, value, type, declaration.value.span);
      return typed.kind === 'FunctionValue' || isFaulty(typed)
        ? typed
        : bind(context, holder, { name: declaration.name.text, value: typed });
    });
  const functionOf = (entry: Entry<FunctionDeclaration, Operand>): Operand =>
    once(context, entry, () => {
      const { declaration } = entry;
      if (areParametersFaulty(context, declaration.parameters)) return errorPlan(declaration.name.span);
      const untyped = declaration.parameters.find((parameter) => parameter.type === null);
      if (untyped !== undefined) return report(context, 'parameter-type-needed', untyped.span, untyped.name.text);
      const value = makeFunctionValue(context, {
        span: declaration.name.span,
        body: declaration.body,
        scope,
        isBoundary: true,
        parameters: declaration.parameters.map((parameter) => ({
          name: parameter.name.text,
          type: parameterType(parameter.type),
          defaultValue: parameter.defaultValue,
        })),
        resultType: declaration.resultType === null ? null : checkType(context, declaration.resultType, scope),
        resultTypeSpan: declaration.body.span,
      });
      return value ?? errorPlan(declaration.name.span);
    });
  const typeOf = (entry: Entry<TypeDeclaration, Type>): Type => {
    const { declaration } = entry;
    if (entry.state === 'done') return entry.value ?? errorType;
    if (entry.state === 'checking') {
      report(context, 'defined-by-itself', declaration.name.span, declaration.name.text);
      return errorType;
    }
    entry.state = 'checking';
    entry.value = checkType(context, declaration.type, scope);
    entry.state = 'done';
    return entry.value;
  };

  const repeated = reportRepeated(context, declarations, (declaration) =>
    declaration.parameters.map((parameter) => parameterType(parameter.type)),
  );
  const checkAll = (): void => {
    for (const entry of types) typeOf(entry);
    for (const { check } of inOrder) check();
  };
  const checkNeeded = (names: Iterable<string>): void => {
    const needed = neededDeclarations(declarations, names);
    for (const { declaration, check } of inOrder) if (needed.has(declaration)) check();
  };
  return { scope, checkAll, checkNeeded };
}

/** How many declarations may wait for one another, each for one that is written after it. */
const MAX_WAITING_DECLARATIONS = 100;

/** The declarations that are being checked, innermost last: a cycle is a tail of it. */
const TRAILS = new WeakMap<CheckContext, Entry<DataDeclaration | FunctionDeclaration, Operand>[]>();

/** Checks a declaration the first time; one that needs itself is reported once, at the first of the cycle as written. */
function once<D extends DataDeclaration | FunctionDeclaration>(
  context: CheckContext,
  entry: Entry<D, Operand>,
  check: () => Operand,
): Operand {
  const name = entry.declaration.name;
  if (entry.state === 'done') return entry.value ?? errorPlan(name.span);
  const trail = TRAILS.get(context) ?? [];
  TRAILS.set(context, trail);
  if (entry.state === 'checking') {
    const cycle = trail.slice(trail.findIndex((other) => other.declaration === entry.declaration));
    for (const member of cycle) member.isCyclic = true;
    const members = cycle.map((other) => other.declaration);
    const first = members.reduce(
      (a, b) => (b.name.span.start < a.name.span.start ? b : a),
      entry.declaration as DataDeclaration | FunctionDeclaration,
    );
    if (first.kind === 'FunctionDeclaration' || members.some((member) => member.kind === 'FunctionDeclaration'))
      return report(context, 'recursive-function', first.name.span);
    return report(context, 'defined-by-itself', first.name.span, first.name.text);
  }
  if (trail.length >= MAX_WAITING_DECLARATIONS) return report(context, 'nested-too-deeply', name.span, MAX_WAITING_DECLARATIONS);
  entry.state = 'checking';
  trail.push(entry as unknown as Entry<DataDeclaration | FunctionDeclaration, Operand>);
  const faultsBefore = context.mutedFaults;
  const checked = check();
  const value = entry.isCyclic ? errorPlan(name.span) : checked;
  trail.pop();
  const wasTrialWithFaults = context.muted > 0 && context.mutedFaults > faultsBefore;
  entry.state = wasTrialWithFaults ? null : 'done';
  entry.value = value;
  return value;
}
