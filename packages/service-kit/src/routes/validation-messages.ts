import type { ErrorObject } from 'ajv/dist/2020.js';

import { LARGEST_TEXT_INTEGER } from './text-parameters.ts';

/** Part of a request that holds a fault. */
export type Place = 'query' | 'header' | 'body';

/**
 * Formats the ajv errors of one value as sentences with the field, its place and the expected value. Errors that only repeat
 * others are left out. The value is never shown: it may be a secret. Takes linear time: there can be a million errors.
 */
export function describeProblems(errors: readonly ErrorObject[], place: Place): readonly string[] {
  const places = (of: string): ReadonlySet<string> =>
    new Set(errors.filter(({ keyword }) => keyword === of).map(({ instancePath }) => instancePath));
  // A list of allowed values says the type, too, and an empty text fits few patterns.
  const repeated = new Map([
    ['type', places('enum')],
    ['pattern', places('minLength')],
  ]);
  const faults: Fault[] = [];
  for (const error of errors) {
    const { keyword, instancePath } = error;
    if (isChoice(error)) faults.push({ error, problems: describeChoice(error, takeBranches(faults, error), place) });
    else if (repeated.get(keyword)?.has(instancePath) !== true) faults.push({ error, problems: describeProblem(error, place) });
  }
  return faults.flatMap(({ problems }) => problems);
}

interface Fault {
  readonly error: ErrorObject;
  readonly problems: readonly string[];
}

/** With a `discriminator`, only the errors of the form that it names are reported. */
function isChoice({ keyword, params }: ErrorObject): boolean {
  return keyword === 'anyOf' || (keyword === 'oneOf' && params['tag'] === undefined);
}

/** Removes the faults of the forms of a choice, which ajv reports immediately before the choice itself. */
function takeBranches(faults: Fault[], choice: ErrorObject): readonly Fault[] {
  let start = faults.length;
  for (let before = faults[start - 1]; before !== undefined && isBranchOf(before, choice); before = faults[start - 1]) start -= 1;
  return faults.splice(start);
}

function isBranchOf({ error: { schemaPath, instancePath } }: Fault, choice: ErrorObject): boolean {
  return schemaPath.startsWith(`${choice.schemaPath}/`) && `${instancePath}/`.startsWith(`${choice.instancePath}/`);
}

/** Returns the faults of the form that has the type of the value; if none has, the types that are possible. */
function describeChoice(choice: ErrorObject, faults: readonly Fault[], place: Place): readonly string[] {
  const forms = Map.groupBy(faults, ({ error }) => error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0]);
  const isOfOtherType = ({ error }: Fault): boolean => error.keyword === 'type' && error.instancePath === choice.instancePath;
  const meant = [...forms.values()].find((form) => !form.some(isOfOtherType));
  if (meant !== undefined) return meant.flatMap(({ problems }) => problems);
  const types = faults.filter(isOfOtherType).flatMap(({ error }) => error.params['type'] as unknown);
  return [`${nameField(choice.instancePath, place)} must be ${describeTypes(types)}.`];
}

/** Formats an ajv error as a sentence; `if` only repeats others. */
function describeProblem(error: ErrorObject, place: Place): readonly string[] {
  const where = nameField(error.instancePath, place);
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return [`${nameField(`${error.instancePath}/${String(params['missingProperty'])}`, place)} is missing.`];
    case 'additionalProperties':
      return [`${nameField(`${error.instancePath}/${String(params['additionalProperty'])}`, place)} is unknown${listKnown(error)}.`];
    case 'type':
      return [`${where} must be ${params['type'] === 'integer' ? describeInteger(error, place) : describeTypes(params['type'])}.`];
    case 'enum':
      return [`${where} must be ${listChoices(params['allowedValues'])}.`];
    case 'const':
      return [`${where} must be ${JSON.stringify(params['allowedValue'])}.`];
    case 'minimum':
    case 'maximum':
      return [`${where} must be ${describeInteger(error, place)}.`];
    case 'minLength':
    case 'minItems':
      return [params['limit'] === 1 ? `${where} must not be empty.` : `${where} must have at least ${describeSize(error)}.`];
    case 'maxLength':
    case 'maxItems':
      return [`${where} must have at most ${describeSize(error)}.`];
    case 'uniqueItems':
      return [`${where} must not hold the same twice: [${params['i']}] and [${params['j']}].`];
    case 'pattern': {
      const expected: unknown = error.parentSchema?.['description'];
      return [`${where} must ${typeof expected === 'string' ? `be ${expected}` : String(error.message).replace(/^must /, '')}.`];
    }
    case 'discriminator':
      return [`${nameField(`${error.instancePath}/${String(params['tag'])}`, place)} must be ${listChoices(choicesOf(error))}.`];
    case 'if':
      return [];
    default:
      // ajv's messages name the bound: "must match pattern …", "must be a multiple of 5".
      return [`${where} ${error.message ?? 'cannot be used'}.`];
  }
}

function describeInteger({ parentSchema }: ErrorObject, place: Place): string {
  const bounds = (parentSchema ?? {}) as { readonly minimum?: number; readonly maximum?: number };
  const { minimum, maximum = place === 'body' ? undefined : LARGEST_TEXT_INTEGER } = bounds;
  if (minimum !== undefined && maximum !== undefined) return `a whole number from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `a whole number of at least ${minimum}`;
  return maximum === undefined ? 'a whole number' : `a whole number of at most ${maximum}`;
}

function describeSize({ keyword, params }: ErrorObject): string {
  const limit = Number(params['limit']);
  return `${limit} ${keyword.endsWith('Items') ? 'item' : 'character'}${limit === 1 ? '' : 's'}`;
}

const PLACE_NAMES = {
  query: (field: string) => `The query parameter ${field}`,
  header: (field: string) => `The header ${field}`,
  body: (field: string) => `The field ${field}`,
} as const satisfies Record<Place, (field: string) => string>;

/** `/credentials/0/user` → `The field credentials[0].user`; the body itself has an empty path. */
export function nameField(instancePath: string, place: Place): string {
  if (instancePath === '') return 'The body';
  const segments = instancePath
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [first = '', ...rest] = segments;
  return PLACE_NAMES[place](rest.reduce((path, segment) => path + (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`), first));
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'a string',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true, false',
    array: 'an array',
    object: 'an object',
    null: 'null',
  }),
);

function describeTypes(types: unknown): string {
  const listed = [...new Set(Array.isArray(types) ? types.map(String) : [String(types)])].map((name) => TYPE_NAMES.get(name) ?? name);
  const names = listed.join(', ').split(', ');
  return names.length === 1 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** The values by which a choice between forms is decided: each form has its own as a constant. */
function choicesOf({ parentSchema, params }: ErrorObject): readonly unknown[] {
  const forms: unknown = parentSchema?.['oneOf'];
  const tag = String(params['tag']);
  const constants = Array.isArray(forms)
    ? (forms as readonly { readonly properties?: Readonly<Record<string, { readonly const?: unknown }>> }[])
    : [];
  return constants.map(({ properties }) => properties?.[tag]?.const);
}

function listChoices(choices: unknown): string {
  const texts = Array.isArray(choices) ? choices.map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice))) : [];
  return texts.length === 1 ? String(texts[0]) : `one of ${texts.join(', ')}`;
}

function listKnown(error: ErrorObject): string {
  const properties: unknown = error.parentSchema?.['properties'];
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return names.length === 0 ? '' : ` (known: ${names.join(', ')})`;
}
