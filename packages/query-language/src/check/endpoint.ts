import type { Annotation, FunctionDeclaration } from '../syntax/ast.ts';
import type { FunctionType } from '../types/type.ts';
import { printType } from '../types/types.ts';
import type { CheckContext } from './check-context.ts';
import { refuse, report } from './check-context.ts';
import { foldConstant } from './constant-value.ts';
import type { OptionValue } from './environment.ts';
import { checkValue } from './check-value.ts';
import { isFaulty } from './operand.ts';
import type { Scope } from './scope.ts';
import { suggest } from '../text/suggest.ts';
import { ownValue } from '../own-value.ts';

/** The HTTP methods that an endpoint may have, as annotations write them. */
export const ENDPOINT_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** An HTTP method of an endpoint. */
export type EndpointMethod = (typeof ENDPOINT_METHODS)[number];

/** A REST endpoint: how a public function of a package is called over HTTP. */
export interface Endpoint {
  readonly method: EndpointMethod;
  /** Starts with `/`. `{name}` is a path parameter, spelled as the function's parameter is. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  /** The parameter that is the JSON body, if any. The rest are query parameters. */
  readonly bodyParameter: string | null;
  readonly scopes: readonly string[];
  readonly visibility: 'public' | 'private';
  /** An output format, or null: the caller's choice. */
  readonly format: string | null;
  readonly summary: string | null;
  readonly description: string | null;
}

const FORMATS = ['json', 'hjson', 'csv', 'sqlite', 'parquet-avro', 'parquet-raw'];

const isText = (value: OptionValue): boolean => typeof value === 'string';
const isTexts = (value: OptionValue): boolean =>
  Array.isArray(value) && value.every((member) => typeof member === 'string' && member !== '');

/** Options of an endpoint annotation besides its path. */
const OPTIONS: Readonly<Record<string, { readonly accepts: (value: OptionValue) => boolean; readonly expected: string }>> = {
  scopes: { accepts: isTexts, expected: 'a collection of names' },
  visibility: { accepts: (value) => value === 'public' || value === 'private', expected: '"public" or "private"' },
  format: { accepts: (value) => typeof value === 'string' && FORMATS.includes(value), expected: `one of ${FORMATS.join(', ')}` },
  summary: { accepts: isText, expected: 'a text' },
  description: { accepts: isText, expected: 'a text' },
};

/** `@get("/path/{name}", option := value)` before a function of the given type; null after a report. */
export function checkEndpoint(
  context: CheckContext,
  annotation: Annotation,
  declaration: FunctionDeclaration,
  at: { readonly type: FunctionType; readonly scope: Scope },
): Endpoint | null {
  const method = ENDPOINT_METHODS.find((name) => name === annotation.name.text.toLowerCase());
  if (method === undefined) throw new Error('only an annotation that is known is an endpoint');
  const path = checkPath(context, annotation, at.scope);
  const options = checkOptions(context, annotation, at.scope);
  if (path === null || options === null) return null;
  const faultsBefore = context.diagnostics.count;
  const spelled = bindPath(context, annotation, path, at.type);
  const isBody = (parameter: FunctionType['parameters'][number]): boolean =>
    parameter.name?.toLowerCase() === 'body' && ['RecordType', 'CollectionType'].includes(parameter.type.kind);
  const body = at.type.parameters.find(isBody)?.name ?? null;
  if (body !== null && (method === 'get' || method === 'delete'))
    report(context, 'endpoint-parameter', annotation.name.span, body, `is a request body, and @${method} has none`);
  for (const [i, parameter] of at.type.parameters.entries()) {
    const span = declaration.parameters[i]?.span ?? annotation.span;
    const name = parameter.name ?? '';
    if (parameter.type.kind === 'FunctionType') report(context, 'endpoint-parameter', span, name, 'cannot be a function');
    else if (spelled.names.includes(name) && parameter.type.kind !== 'PrimitiveType')
      report(context, 'endpoint-parameter', span, name, `stands in the path and cannot be ${printType(parameter.type)}`);
  }
  if (at.type.result.kind === 'FunctionType') report(context, 'endpoint-result', annotation.name.span, printType(at.type.result));
  if (context.diagnostics.count > faultsBefore) return null;
  return {
    method,
    path: spelled.path,
    pathParameters: spelled.names,
    bodyParameter: body,
    scopes: Array.isArray(options['scopes']) ? options['scopes'].map(String) : [],
    visibility: options['visibility'] === 'public' ? 'public' : 'private',
    format: textOf(options['format']),
    summary: textOf(options['summary']),
    description: textOf(options['description']),
  };
}

function textOf(value: OptionValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

const PATH = /^(\/([\w\-.~!$&'()*+,;=:@]|\{\w+\})*)+$/;

function checkPath(context: CheckContext, annotation: Annotation, scope: Scope): string | null {
  const [first] = annotation.arguments;
  if (first === undefined || first.name !== null) return refuse(context, 'missing-arguments', annotation.name.span, ['path']);
  const plan = checkValue(context, first.value, scope);
  if (isFaulty(plan)) return null;
  const folded = foldConstant(context.values, plan);
  const path = folded.kind === 'value' ? folded.value : undefined;
  const fault = (problem: string): null => refuse(context, 'endpoint-path', first.value.span, problem);
  if (typeof path !== 'string') return fault('must be a constant text');
  if (!path.startsWith('/')) return fault('must start with /');
  return PATH.test(path) ? path : fault("may hold letters, digits, -._~!$&'()*+,;=:@ and {name} between slashes");
}

function checkOptions(context: CheckContext, annotation: Annotation, scope: Scope): Readonly<Record<string, OptionValue>> | null {
  const options: Record<string, OptionValue> = {};
  let hasFault = false;
  for (const argument of annotation.arguments.slice(1)) {
    const name = argument.name?.text.toLowerCase() ?? '';
    const rule = ownValue(OPTIONS, name);
    const plan = checkValue(context, argument.value, scope);
    const folded = isFaulty(plan) ? null : foldConstant(context.values, plan);
    if (rule !== undefined && folded?.kind === 'value' && rule.accepts(folded.value)) options[name] = folded.value;
    else {
      hasFault = true;
      if (rule === undefined)
        report(
          context,
          'unknown-option',
          argument.span,
          argument.name?.text ?? 'without a name',
          Object.keys(OPTIONS).join(', '),
          suggest(name, Object.keys(OPTIONS)),
        );
      else if (folded?.kind === 'value')
        report(context, 'bad-option', argument.value.span, name, rule.expected, JSON.stringify(folded.value), null);
      else if (folded !== null) report(context, 'constant-needed', argument.value.span, `option ${name}`);
    }
  }
  return hasFault ? null : options;
}

/** Returns the path with its names in the spelling of the parameters. Reports a name that is not a parameter, or occurs twice. */
function bindPath(
  context: CheckContext,
  annotation: Annotation,
  path: string,
  type: FunctionType,
): { readonly path: string; readonly names: readonly string[] } {
  const span = annotation.arguments[0]?.value.span ?? annotation.span;
  const names: string[] = [];
  const spelled = path.replace(/\{(\w+)\}/g, (_, written: string) => {
    const parameter = type.parameters.find(({ name }) => name?.toLowerCase() === written.toLowerCase())?.name ?? null;
    if (parameter === null) report(context, 'endpoint-path', span, `names ${written}, which is no parameter of the function`);
    else if (names.includes(parameter)) report(context, 'endpoint-path', span, `names ${written} more than once`);
    else names.push(parameter);
    return `{${parameter ?? written}}`;
  });
  return { path: spelled, names };
}
