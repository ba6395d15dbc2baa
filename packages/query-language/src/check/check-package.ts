import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Annotation, FunctionDeclaration, Parameter, Program } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import type { CheckContext, Use } from './check-context.ts';
import { createCheckContext, report } from './check-context.ts';
import { foldConstant } from './constant-value.ts';
import type { Endpoint, EndpointMethod } from './endpoint.ts';
import { ENDPOINT_METHODS, checkEndpoint } from './endpoint.ts';
import type { CheckEnvironment, Need, OptionValue } from './environment.ts';
import { checkOperand } from './expression.ts';
import { checkPackageValue, publicDeclarations } from './open-package.ts';
import { isFaulty } from './operand.ts';
import { openProgram } from './program-scope.ts';
import type { FunctionCandidate, Scope } from './scope.ts';

/** A parameter of a public function. `defaultValue`: where it has one that is constant. */
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

/** What the check of a package finds. `type` is that of its final expression, or the record of its public data. */
export interface PackageCheck {
  readonly diagnostics: readonly Diagnostic[];
  readonly needs: readonly Need[];
  readonly type: Type | null;
  readonly functions: readonly PackageFunction[];
  readonly uses: readonly Use[];
}

/** Checks all of a package. `name`: what it is or will be stored as; it may not import itself through others. */
export function checkPackage(program: Program, environment: CheckEnvironment, { name }: { readonly name: string }): PackageCheck {
  const context = createCheckContext(environment);
  context.trail = [`package ${name}`];
  const declared = openProgram(context, program, context.holder);
  declared.checkAll();
  const value = checkPackageValue(context, program, { scope: declared, holder: context.holder, name });
  const functions = checkFunctions(context, program, declared.scope);
  reportRepeatedEndpoints(context, functions);
  const isComplete = context.diagnostics.length === 0 && context.needs.size === 0;
  return {
    diagnostics: context.diagnostics,
    needs: [...context.needs.values()],
    type: isComplete && !isFaulty(value) ? value.type : null,
    functions: isComplete ? functions.map(({ found }) => found) : [],
    uses: [...context.uses.values()],
  };
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
    // Where its READ hangs on a parameter, nobody but the one who writes it can say what is read.
    if (value.type.result.kind === 'ErrorType') for (const span of context.untypedReads) report(context, 'type-needed', span);
    const annotated = declaration.annotations.flatMap((annotation) => {
      if (!isEndpointName(annotation.name.text)) return [];
      const endpoint = checkEndpoint(context, annotation, declaration, { type: value.type, scope });
      return endpoint === null ? [] : [{ annotation, endpoint }];
    });
    const parameters = overload.parameters.map(({ name, type, hasDefault }, i): PackageParameter => ({
      name,
      type,
      isOptional: hasDefault,
      defaultValue: constantDefault(context, declaration.parameters[i], scope),
    }));
    const endpoints = annotated.map(({ endpoint }) => endpoint);
    return { found: { name: declaration.name.text, parameters, result: value.type.result, endpoints }, annotated };
  });
}

/** The candidate of a declaration among those of its name: they stand in the order of the text. */
function overloadOf(program: Program, declaration: FunctionDeclaration, scope: Scope): FunctionCandidate | undefined {
  const isName = (other: string): boolean => other === declaration.name.text;
  const sameName = program.declarations.filter((other) => other.kind === 'FunctionDeclaration' && isName(other.name.text));
  return scope.find(isName).find(({ overloads }) => overloads !== undefined)?.overloads?.[sameName.indexOf(declaration)];
}

function constantDefault(context: CheckContext, parameter: Parameter | undefined, scope: Scope): OptionValue | undefined {
  if (parameter === undefined || parameter.defaultValue === null) return undefined;
  const value = checkOperand(context, parameter.defaultValue, scope);
  if (value.kind === 'FunctionValue' || isFaulty(value)) return undefined;
  const folded = foldConstant(context, value);
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

/** Method and path, whatever its parameters are called, say which endpoint is meant. */
function reportRepeatedEndpoints(context: CheckContext, functions: readonly CheckedFunction[]): void {
  const annotated = functions.flatMap((one) => one.annotated);
  const keyOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;
  for (const group of Map.groupBy(annotated, ({ endpoint }) => keyOf(endpoint)).values()) {
    const [first] = group;
    if (first === undefined || group.length === 1) continue;
    const spans = group.map(({ annotation }) => annotation.span);
    report(context, 'endpoint-twice', spans, `${first.endpoint.method.toUpperCase()} ${first.endpoint.path}`);
  }
}
