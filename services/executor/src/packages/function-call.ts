import { invalidQuery, type QueryError } from '@svc/errors';
import { quoteName, printType, type PackageFunction, type PackageParameter, type Type } from '@svc/query-language';

/** A call of a package's function as a query, and its arguments. */
export interface FunctionCall {
  readonly text: string;
  readonly arguments: ReadonlyMap<string, string>;
}

/** The members of the JSON object that a function is called with; numbers may be raw JSON. */
export type JsonArguments = Readonly<Record<string, unknown>>;

/**
 * The query that calls a public function by the names of its parameters. `overloads`: all functions of the name, at least one. Throws a
 * QueryFailure that names each argument that is missing, unknown or of the wrong type.
 */
export function callFunction(packageName: string, overloads: readonly PackageFunction[], given: JsonArguments): FunctionCall {
  const { parameters, name } = chooseOverload(overloads, given);
  const texts = new Map<string, string>();
  const problems: QueryError[] = [];
  for (const parameter of parameters) {
    if (!Object.hasOwn(given, parameter.name) || isNullFor(parameter, given[parameter.name])) continue;
    const text = argumentText(parameter, given[parameter.name]);
    if (text === null) problems.push(problem(`argument ${parameter.name} cannot be cast to ${printType(parameter.type)}`));
    else texts.set(parameter.name, text);
  }
  if (problems.length > 0) throw invalidQuery(problems);
  return { text: callText({ packageName, name, parameters, given, texts }), arguments: texts };
}

/** Selects the first overload that accepts arguments of these names and kinds; throws if there is none. */
function chooseOverload(overloads: readonly PackageFunction[], given: JsonArguments): PackageFunction {
  const [only] = overloads;
  if (only === undefined) throw new Error('a function that is called exists');
  const callable = overloads.filter((one) => functionProblem(one) === null);
  if (callable.length === 0) throw invalidQuery([problem(functionProblem(only) ?? '')]);
  const named = callable.filter((one) => nameProblems(one, given).length === 0);
  const fitting = named.find(({ parameters }) => parameters.every((parameter) => isFitting(parameter, given)));
  const chosen = fitting ?? named[0];
  if (chosen !== undefined) return chosen;
  if (callable.length === 1 && callable[0] !== undefined) throw invalidQuery(nameProblems(callable[0], given).map(problem));
  throw invalidQuery([
    problem(`no ${only.name} takes (${Object.keys(given).join(', ')}), expected ${callable.map(signature).join(' or ')}`),
  ]);
}

function functionProblem({ name, parameters, result }: PackageFunction): string | null {
  const taken = parameters.find(({ type }) => type.kind === 'FunctionType');
  if (taken !== undefined) return `${name} cannot be called from outside: ${taken.name} is a function`;
  return result.kind === 'FunctionType' ? `${name} cannot be called from outside: its result is a function` : null;
}

function nameProblems({ parameters }: PackageFunction, given: JsonArguments): readonly string[] {
  const unknown = Object.keys(given).filter((name) => !parameters.some((parameter) => parameter.name === name));
  const missing = parameters.filter(({ name, isOptional }) => !isOptional && !Object.hasOwn(given, name)).map(({ name }) => name);
  return [
    ...unknown.map((name) => `unknown argument: ${name}`),
    ...(missing.length > 0 ? [`missing mandatory arguments: ${missing.join(', ')}`] : []),
  ];
}

const NUMBERS: ReadonlySet<string> = new Set(['byte', 'short', 'int', 'long', 'float', 'double', 'decimal']);

/** Returns whether a JSON value has the form of the parameter's type, to select an overload. */
function isFitting({ name, type }: PackageParameter, given: JsonArguments): boolean {
  const value = given[name];
  if (!Object.hasOwn(given, name) || type.kind === 'AnyType') return true;
  if (value === null) return type.isNullable;
  const text = JSON.stringify(value);
  if (type.kind === 'CollectionType') return text.startsWith('[');
  if (type.kind === 'RecordType') return text.startsWith('{');
  if (type.kind !== 'PrimitiveType') return false;
  if (type.name === 'bool') return typeof value === 'boolean';
  return NUMBERS.has(type.name) ? /^[-\d]/.test(text) : typeof value === 'string';
}

/** Returns whether JSON null is passed as NULL itself: no text represents it. */
function isNullFor({ type }: PackageParameter, value: unknown): boolean {
  return value === null && type.isNullable;
}

/**
 * Returns the text that is cast to the parameter's type: that of a string or a number, JSON for records and collections.
 * Null if no cast could succeed.
 */
function argumentText({ type }: PackageParameter, value: unknown): string | null {
  if (type.kind !== 'PrimitiveType') return JSON.stringify(value);
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  return /^[-\d{tf]/.test(text) && !text.startsWith('{') ? text : null;
}

interface CallParts {
  readonly packageName: string;
  readonly name: string;
  readonly parameters: readonly PackageParameter[];
  readonly given: JsonArguments;
  readonly texts: ReadonlyMap<string, string>;
}

/** `FROM p IMPORT f AS call; \(a: int) -> call(a := a, b := NULL)`; omitted arguments take their defaults. */
function callText({ packageName, name, parameters, given, texts }: CallParts): string {
  const passed = parameters.filter((parameter) => Object.hasOwn(given, parameter.name));
  const isTaken = (alias: string): boolean => passed.some((parameter) => parameter.name.toLowerCase() === alias);
  let alias = 'call';
  while (isTaken(alias)) alias += '_';
  const declared = passed.filter((parameter) => texts.has(parameter.name));
  const lambda = declared.map(({ name: own, type }) => `${quoteName(own)}: ${isBinary(type) ? 'string' : printType(type)}`).join(', ');
  const values = passed.map(({ name: own, type }) => {
    const written = quoteName(own);
    return `${written} := ${texts.has(own) ? (isBinary(type) ? `FROM_BASE64(${written})` : written) : 'NULL'}`;
  });
  const call = `${alias}(${values.join(', ')})`;
  return `FROM ${quoteName(packageName)} IMPORT ${quoteName(name)} AS ${alias}; ${declared.length > 0 ? `\\(${lambda}) -> ` : ''}${call}`;
}

/** Returns whether a type is binary: base64 in JSON, and without a cast from text. */
function isBinary(type: Type): boolean {
  return type.kind === 'PrimitiveType' && type.name === 'binary';
}

function signature({ parameters }: PackageFunction): string {
  return `(${parameters.map(({ name, type, isOptional }) => `${name}${isOptional ? '?' : ''}: ${printType(type)}`).join(', ')})`;
}

/** A diagnostic without position: the caller sent no text. */
function problem(message: string): QueryError {
  return { message, positions: [] };
}
