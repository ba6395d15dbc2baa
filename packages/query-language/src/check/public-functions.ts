import type { Annotation, Declaration, Expression, FunctionDeclaration, Program } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';
import { foldConstant } from './constant-value.ts';
import type { Endpoint, EndpointMethod } from './endpoint.ts';
import { checkEndpoint, ENDPOINT_METHODS } from './endpoint.ts';
import type { OptionValue } from './environment.ts';
import { isFaulty } from './operand.ts';
import { repeatedBy, spansOf } from './repeated.ts';
import type { FunctionCandidate, Scope } from './scope.ts';

/** A parameter of a public function. `defaultValue` is set if the default is constant. */
export interface PackageParameter {
  readonly name: string;
  readonly type: Type;
  readonly isOptional: boolean;
  readonly defaultValue: OptionValue | undefined;
}

/** A public function of a package. Overloads are functions of one name. */
export interface PackageFunction {
  readonly name: string;
  readonly parameters: readonly PackageParameter[];
  readonly result: Type;
  readonly endpoints: readonly Endpoint[];
}

/** Returns the public functions of a program with the endpoints of their annotations. */
export function checkPublicFunctions(context: CheckContext, program: Program, scope: Scope): readonly PackageFunction[] {
  const functions = checkFunctions(context, program, scope);
  reportRepeatedEndpoints(context, functions);
  return functions.map(({ found }) => found);
}

/** The public declarations of a package. */
export function publicDeclarations(program: Program): readonly Declaration[] {
  return program.declarations.filter((declaration) => !declaration.isPrivate);
}

interface CheckedFunction {
  readonly found: PackageFunction;
  readonly annotated: readonly { readonly annotation: Annotation; readonly endpoint: Endpoint }[];
}

function checkFunctions(context: CheckContext, program: Program, scope: Scope): readonly CheckedFunction[] {
  for (const declaration of program.declarations) checkAnnotations(context, declaration);
  const functions = publicDeclarations(program).filter(
    (declaration): declaration is FunctionDeclaration => declaration.kind === 'FunctionDeclaration',
  );
  return functions.flatMap((declaration): CheckedFunction | readonly [] => {
    const overload = overloadOf(program, declaration, scope);
    const value = overload?.value();
    if (overload === undefined || value?.kind !== 'FunctionValue') return [];
    // If the READ depends on a parameter, only a declared type can determine the type.
    if (value.type.result.kind === 'ErrorType') for (const span of context.text.untypedReads) report(context, 'type-needed', span);
    const annotated = declaration.annotations.flatMap((annotation) => {
      if (!isEndpointName(annotation.name.text)) return [];
      const endpoint = checkEndpoint(context, annotation, declaration, { type: value.type, scope });
      return endpoint === null ? [] : [{ annotation, endpoint }];
    });
    const parameters = overload.parameters.map(({ name, type, hasDefault }, i): PackageParameter => ({
      name,
      type,
      isOptional: hasDefault,
      defaultValue: constantDefault(context, declaration.parameters[i]?.defaultValue ?? null, { type, scope }),
    }));
    const endpoints = annotated.map(({ endpoint }) => endpoint);
    return { found: { name: declaration.name.text, parameters, result: value.type.result, endpoints }, annotated };
  });
}

/** Returns the overload of a declaration: overloads are in the order of the text. */
function overloadOf(program: Program, declaration: FunctionDeclaration, scope: Scope): FunctionCandidate | undefined {
  const isName = (other: string): boolean => other === declaration.name.text;
  const sameName = program.declarations.filter((other) => other.kind === 'FunctionDeclaration' && isName(other.name.text));
  return scope.find(isName).find(({ overloads }) => overloads !== undefined)?.overloads?.[sameName.indexOf(declaration)];
}

function constantDefault(
  context: CheckContext,
  written: Expression | null,
  { type, scope }: { readonly type: Type; readonly scope: Scope },
): OptionValue | undefined {
  if (written === null) return undefined;
  const value = context.checkOperand(written, scope, type);
  if (value.kind === 'FunctionValue' || isFaulty(value)) return undefined;
  const folded = foldConstant(context.values, value);
  return folded.kind === 'value' ? folded.value : undefined;
}

function isEndpointName(name: string): name is EndpointMethod {
  return (ENDPOINT_METHODS as readonly string[]).includes(name.toLowerCase());
}

function checkAnnotations(context: CheckContext, declaration: Program['declarations'][number]): void {
  if (declaration.kind === 'TypeDeclaration') return;
  for (const { name } of declaration.annotations) {
    if (!isEndpointName(name.text))
      report(context, 'unknown-annotation', name.span, name.text, ENDPOINT_METHODS.map((method) => `@${method}`).join(', '));
    else if (declaration.kind !== 'FunctionDeclaration' || declaration.isPrivate)
      report(context, 'misplaced-annotation', name.span, name.text);
  }
}

/** An endpoint is identified by its method and path; the names of path parameters do not count. */
function reportRepeatedEndpoints(context: CheckContext, functions: readonly CheckedFunction[]): void {
  const annotated = functions.flatMap((one) => one.annotated);
  const keyOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;
  for (const group of repeatedBy(annotated, ({ endpoint }) => keyOf(endpoint))) {
    const { method, path } = group[0].endpoint;
    report(context, 'endpoint-twice', spansOf(group.map(({ annotation }) => annotation)), `${method.toUpperCase()} ${path}`);
  }
}
