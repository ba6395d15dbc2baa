import { distance } from 'fastest-levenshtein';

import { Unusable, type Setting } from './setting.ts';
import { PRODUCT_SETTING_NAMES } from './setting-names.ts';
import { SettingsError } from './settings-error.ts';

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The values that a record of settings reads. */
export type SettingValues<Shape> = { readonly [Key in keyof Shape]: Shape[Key] extends Setting<infer Value> ? Value : never };

/** The parsed settings, and warnings for the operator about unknown names. */
export interface ReadEnvironment<Shape> {
  readonly settings: SettingValues<Shape>;
  readonly warnings: readonly string[];
}

/** Reads all settings of a process. An empty variable counts as unset. Throws a SettingsError with one line per invalid setting. */
export function readEnv<const Shape extends Readonly<Record<string, Setting<unknown>>>>(
  env: Environment,
  shape: Shape,
): ReadEnvironment<Shape> {
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(shape)) {
    const outcome = readSetting(env, setting);
    if (outcome.kind === 'problem') problems.push(outcome.line);
    else settings[key] = outcome.value;
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const names = Object.values(shape).flatMap(({ name, alternative }) => (alternative === undefined ? [name] : [name, alternative.name]));
  // Safe: every key of the shape has the value that its own setting parsed.
  return { settings: settings as SettingValues<Shape>, warnings: warnOfUnknownNames(env, names) };
}

type Outcome = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'problem'; readonly line: string };

function readSetting(env: Environment, setting: Setting<unknown>): Outcome {
  const { name, alternative } = setting;
  const text = env[name] ?? '';
  const isAlternativeSet = alternative !== undefined && (env[alternative.name] ?? '') !== '';
  if (text === '') {
    if (isAlternativeSet) return readSetting(env, alternative);
    if (setting.absent.kind === 'value') return setting.absent;
    const or = alternative === undefined ? '' : `, or ${alternative.name}: ${alternative.expected}`;
    return { kind: 'problem', line: `${name} is not set: expected ${setting.expected}${or}` };
  }
  if (isAlternativeSet) return { kind: 'problem', line: `${alternative.name} cannot be used: ${name} is set too` };
  const value = setting.parse(text);
  if (value instanceof Unusable) return { kind: 'problem', line: `${name} cannot be used: ${value.reason}` };
  if (value !== undefined) return { kind: 'value', value };
  const found = setting.isSecret ? 'its value, which is not shown, is not that' : `found ${JSON.stringify(text)}`;
  return { kind: 'problem', line: `${name} cannot be used: expected ${setting.expected}, ${found}` };
}

function warnOfUnknownNames(env: Environment, ownNames: readonly string[]): string[] {
  const known = new Set([...PRODUCT_SETTING_NAMES, ...ownNames]);
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !name.startsWith('SVC_TEST_') && !known.has(name))
    .toSorted()
    .map((name) => `${name} is not a setting${suggestName(name, known)}`);
}

const FARTHEST_SUGGESTION = 4;
const PREFIX_LENGTH = 'SVC_'.length;

function suggestName(name: string, known: ReadonlySet<string>): string {
  const nearest = [...known]
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .toSorted((left, right) => left.edits - right.edits)[0];
  // Of a short name, half is another name.
  const farthest = Math.min(FARTHEST_SUGGESTION, Math.floor((name.length - PREFIX_LENGTH) / 2));
  return nearest !== undefined && nearest.edits <= farthest ? `; was ${nearest.candidate} meant?` : '';
}
