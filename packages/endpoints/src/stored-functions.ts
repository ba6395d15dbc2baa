import { parseType, printType, type Endpoint, type OptionValue, type PackageFunction } from '@svc/query-language';

interface StoredFunction {
  readonly name: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly isOptional: boolean;
    readonly defaultValue?: OptionValue;
  }[];
  readonly result: string;
  readonly endpoints: readonly Endpoint[];
}

/** Serializes the public functions of a package to JSON, to be stored with it. Functions that no endpoint can call are omitted. */
export function writeFunctions(functions: readonly PackageFunction[]): string {
  const stored = functions.filter(isCallable).map(({ name, parameters, result, endpoints }): StoredFunction => ({
    name,
    parameters: parameters.map(({ type, defaultValue, ...rest }) => ({
      ...rest,
      type: printType(type),
      ...(defaultValue !== undefined && { defaultValue }),
    })),
    result: printType(result),
    endpoints,
  }));
  // Summaries, defaults and names of fields of a result, which callers only read about, may hold what PostgreSQL's JSON cannot.
  return JSON.stringify(stored, (_, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value));
}

/** Parses the result of `writeFunctions`. */
export function readFunctions(stored: unknown): readonly PackageFunction[] {
  // Written by the function above, in this version or an earlier one.
  return (stored as readonly StoredFunction[]).map(({ name, parameters, result, endpoints }) => ({
    name,
    parameters: parameters.map(({ type, defaultValue, ...rest }) => ({ ...rest, type: readType(type), defaultValue })),
    result: readType(result),
    endpoints,
  }));
}

/** Returns whether a function can be called from outside: it neither takes nor returns functions. */
function isCallable({ parameters, result }: PackageFunction): boolean {
  return [...parameters.map(({ type }) => type), result].every(({ kind }) => kind !== 'FunctionType' && kind !== 'ErrorType');
}

function readType(text: string) {
  const parsed = parseType(text);
  if ('type' in parsed) return parsed.type;
  throw new Error(`A function is stored with a type that cannot be read: ${text}`);
}
