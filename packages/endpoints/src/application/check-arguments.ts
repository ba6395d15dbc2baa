import { argumentProblem, printType, type PackageParameter, type Type } from '@svc/query-language';

import type { WorkingEndpoint } from './application-endpoint.ts';

/** The texts of a request that are arguments. */
export interface RequestTexts {
  readonly path: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  /** Null if there is none. */
  readonly body: string | null;
}

/** The JSON object that the function is called with, or one sentence per fault. */
export type CheckedArguments =
  | { readonly kind: 'arguments'; readonly json: string }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/**
 * Checks the texts of a request against the parameters of an endpoint's function, as the executor does. Primitive texts and
 * JSON are passed on unchanged, so that no digit is lost.
 */
export function checkArguments({ endpoint, described }: WorkingEndpoint, texts: RequestTexts): CheckedArguments {
  const problems: string[] = [];
  const members: string[] = [];
  const names = new Set(described.parameters.filter(({ name }) => isInQuery(name)).map(({ name }) => name));
  for (const name of new Set(texts.query.keys())) {
    if (!names.has(name)) problems.push(`The query parameter ${name} is unknown.`);
    else if (texts.query.getAll(name).length > 1) problems.push(`The query parameter ${name} is given more than once.`);
  }
  for (const parameter of described.parameters) {
    const { text, where } = find(parameter);
    if (text === null) {
      if (!parameter.isOptional) problems.push(`${where} is missing: expected ${printType(parameter.type)}.`);
      continue;
    }
    const found = parameter.name === endpoint.bodyParameter ? bodyProblems(parameter.type, text) : textProblems(parameter.type, text);
    problems.push(...found.map((problem) => `${where} ${problem}.`));
    members.push(`${JSON.stringify(parameter.name)}:${parameter.type.kind === 'PrimitiveType' ? JSON.stringify(text) : text}`);
  }
  if (texts.body !== null && endpoint.bodyParameter === null) problems.push('The endpoint takes no body.');
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'arguments', json: `{${members.join(',')}}` };

  function isInQuery(name: string): boolean {
    return name !== endpoint.bodyParameter && !endpoint.pathParameters.includes(name);
  }

  function find({ name }: PackageParameter): { readonly text: string | null; readonly where: string } {
    if (name === endpoint.bodyParameter) return { text: texts.body, where: 'The body' };
    if (endpoint.pathParameters.includes(name)) return { text: texts.path.get(name) ?? null, where: `The path parameter ${name}` };
    return { text: texts.query.get(name), where: `The query parameter ${name}` };
  }
}

/** The length must be a multiple of four: a repeated group would exhaust the stack on a long text. */
const BASE64 = /^[a-z\d+/]*={0,2}$/i;

function textProblems(type: Type, text: string): readonly string[] {
  // Binary values are base64, in a URL as in JSON.
  if (type.kind === 'PrimitiveType' && type.name === 'binary') return text.length % 4 === 0 && BASE64.test(text) ? [] : ['must be base64'];
  const problem = argumentProblem(type, text);
  if (problem === null) return [];
  return [`cannot be cast to ${printType(type)}${problem === '' ? '' : `: ${problem}`}`];
}

function bodyProblems(type: Type, text: string): readonly string[] {
  return [...textProblems(type, text), ...unknownMembers(type, parseJson(text), '').map((path) => `has the unknown member ${path}`)];
}

/** Returns undefined for what is no JSON, which `textProblems` reports. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Bounds the response about an object with a million unknown members. */
const MOST_UNKNOWN = 20;

/** The paths of members that no field is called after: a typo of the caller's must not lose something silently. */
function unknownMembers(type: Type, value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (type.kind === 'CollectionType' && Array.isArray(value)) {
    const found: string[] = [];
    for (const [i, element] of value.entries()) {
      found.push(...unknownMembers(type.element, element, `${path}[${i}]`));
      if (found.length >= MOST_UNKNOWN) return found.slice(0, MOST_UNKNOWN);
    }
    return found;
  }
  if (type.kind !== 'RecordType' || Array.isArray(value)) return [];
  return Object.entries(value)
    .flatMap(([name, part]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const field = type.fields.find((one) => one.name === name);
      return field === undefined ? [at] : unknownMembers(field.type, part, at);
    })
    .slice(0, MOST_UNKNOWN);
}
