import { parseArgs } from 'node:util';

/** Arguments of `npm run -s token`. */
export interface TokenArguments {
  readonly sub: string;
  readonly scope?: string;
  readonly expiresInSeconds: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Output of `npm run -s token -- --help`. */
export const TOKEN_USAGE = `Usage: npm run -s token [-- argument …]

  --sub NAME            the caller, demo by default
  --scope "a b"         scopes; the console and the administration need svc:admin
  --claim KEY=VALUE     another claim, JSON or a text; may be repeated
  --expires-in SECONDS  28800 by default; negative: it has expired
  --help                prints this`;

const EXPIRES_IN_SECONDS = 8 * 3600;

/** Parses the arguments; 'help' if that is what they are for. Throws an Error with one line for arguments that cannot be used. */
export function parseTokenArguments(args: readonly string[]): TokenArguments | 'help' {
  const { values } = parseArgs({
    args: joinNegativeNumbers(args),
    options: {
      sub: { type: 'string', default: 'demo' },
      scope: { type: 'string' },
      claim: { type: 'string', multiple: true, default: [] },
      'expires-in': { type: 'string', default: String(EXPIRES_IN_SECONDS) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  return {
    sub: values.sub,
    ...(values.scope === undefined ? {} : { scope: values.scope }),
    expiresInSeconds: parseSeconds(values['expires-in']),
    claims: Object.fromEntries(values.claim.map(parseClaim)),
  };
}

/** `--expires-in -60` would be two options to parseArgs. */
function joinNegativeNumbers(args: readonly string[]): string[] {
  return args.reduce<string[]>((joined, arg) => {
    const last = joined.at(-1);
    return last === '--expires-in' && /^-\d+$/.test(arg) ? [...joined.slice(0, -1), `${last}=${arg}`] : [...joined, arg];
  }, []);
}

function parseSeconds(text: string): number {
  if (!/^-?\d{1,12}$/.test(text)) throw new Error(`--expires-in takes a whole number of seconds, found ${JSON.stringify(text)}`);
  return Number(text);
}

/** Parses `key=value`: a JSON value is parsed (a number for `nbf`, a list for `aud`), any other is a string. */
function parseClaim(text: string): [name: string, value: unknown] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(`--claim takes key=value, found ${JSON.stringify(text)}`);
  try {
    return [name, JSON.parse(value) as unknown];
  } catch {
    return [name, value];
  }
}
