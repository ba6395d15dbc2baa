import { accessSync, constants, statSync } from 'node:fs';

/** An environment variable and its parser. Built by the functions below; required unless they give a default. */
export interface Setting<Value> {
  readonly name: string;
  /** Completes "expected …" in the line about a value that cannot be used. */
  readonly expected: string;
  /** Parses the text; undefined if it is not as expected, Unusable for a more specific reason. */
  readonly parse: (text: string) => Value | Unusable | undefined;
  readonly absent: { readonly kind: 'required' } | { readonly kind: 'value'; readonly value: Value };
  /** A secret's text is never shown, not even a wrong one. */
  readonly isSecret: boolean;
  /** Read where this one is not set. */
  readonly alternative?: Setting<Value>;
}

/** Reason why a setting's text is invalid: completes "cannot be used:". Never contains a secret. */
export class Unusable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** A text, unchanged. */
export function textSetting(name: string, expected = 'a text'): Setting<string> {
  return setting(name, expected, (text) => text);
}

/** An integer between two inclusive bounds. */
export function integerSetting(name: string, bounds: { readonly min: number; readonly max?: number }): Setting<number> {
  const max = bounds.max ?? Number.MAX_SAFE_INTEGER;
  const range = bounds.max === undefined ? `of at least ${bounds.min}` : `from ${bounds.min} to ${bounds.max}`;
  return setting(name, `a whole number ${range}`, (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
    return value >= bounds.min && value <= max ? value : undefined;
  });
}

/** A TCP port; 0 lets the system choose one. */
export function portSetting(name: string): Setting<number> {
  return integerSetting(name, { min: 0, max: 65535 });
}

/** A URL with one of the given schemes, each without its colon. */
export function urlSetting(name: string, schemes: readonly string[] = ['http', 'https']): Setting<URL> {
  return setting(name, `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`, (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url !== undefined && schemes.includes(url.protocol.slice(0, -1)) ? url : undefined;
  });
}

/** The text of a URL, unchanged: issuers are compared letter by letter, and drivers parse addresses themselves. */
export function urlTextSetting(name: string, of: { readonly meaning: string; readonly schemes: readonly string[] }): Setting<string> {
  const url = urlSetting(name, of.schemes);
  return refineSetting(textSetting(name), `${of.meaning}, ${url.expected}`, (text) => (url.parse(text) === undefined ? undefined : text));
}

/** A folder that exists and that the process may use as `mode` says. */
export function folderSetting(name: string, mode: 'read' | 'write' = 'read'): Setting<string> {
  return refineSetting(textSetting(name), 'a folder', (path) => {
    const problem = folderProblem(path, mode);
    return problem === null ? path : new Unusable(problem);
  });
}

/** Folders, with a separator between them. */
export function foldersSetting(name: string, separator: string): Setting<readonly string[]> {
  return refineSetting(listSetting(name, { separator, expected: 'folders' }), 'folders', (paths) => {
    const expected = `folders with ${JSON.stringify(separator)} between them`;
    const problem = paths.map((path) => folderProblem(path, 'read', expected)).find((found) => found !== null);
    return problem === undefined ? paths : new Unusable(problem);
  });
}

/** Returns why a folder cannot be used, as the end of "cannot be used: "; null if it can. */
function folderProblem(path: string, mode: 'read' | 'write', expected = 'a folder'): string | null {
  const shown = JSON.stringify(path);
  try {
    if (!statSync(path).isDirectory()) return `expected ${expected}, and ${shown} is none`;
    accessSync(path, mode === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    // An error of a system call, which has a code.
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? `expected ${expected}, and ${shown} does not exist` : `the folder ${shown} cannot be used (${code})`;
  }
}

/** A setting with a fixed set of values. */
export function choiceSetting<const Choice extends string>(name: string, choices: readonly Choice[]): Setting<Choice> {
  return setting(name, `one of ${choices.join(', ')}`, (text) => choices.find((choice) => choice === text));
}

/** Texts with a separator between them; blanks around each are dropped, and so are empty ones. */
export function listSetting(name: string, options: { readonly separator: string; readonly expected: string }): Setting<readonly string[]> {
  return setting(name, options.expected, (text) => {
    const entries = text.split(options.separator).map((entry) => entry.trim());
    return entries.filter((entry) => entry !== '');
  });
}

/** Refines a setting; `parse` returns undefined for an invalid value. */
export function refineSetting<From, To>(
  from: Setting<From>,
  expected: string,
  parse: (value: From) => To | Unusable | undefined,
): Setting<To> {
  const { name, isSecret } = from;
  return {
    name,
    isSecret,
    expected,
    absent: { kind: 'required' },
    parse: (text) => {
      const value = from.parse(text);
      if (value === undefined) return undefined;
      return value instanceof Unusable ? new Unusable(value.reason) : parse(value);
    },
  };
}

/** Either of two settings; setting both is a mistake. */
export function orElse<Value>(of: Setting<Value>, alternative: Setting<Value>): Setting<Value> {
  return { ...of, alternative };
}

/** Returns the setting with a default. */
export function withDefault<Value>(of: Setting<Value>, value: Value): Setting<Value> {
  return { ...of, absent: { kind: 'value', value } };
}

/** Returns the setting, undefined if unset. */
export function optional<Value>(of: Setting<Value>): Setting<Value | undefined> {
  return { ...of, absent: { kind: 'value', value: undefined } };
}

/** Returns the setting as a secret, whose text is never shown. For keys, and URLs that contain a password. */
export function secret<Value>(of: Setting<Value>): Setting<Value> {
  return { ...of, isSecret: true };
}

function setting<Value>(name: string, expected: string, parse: Setting<Value>['parse']): Setting<Value> {
  return { name, expected, parse, absent: { kind: 'required' }, isSecret: false };
}
