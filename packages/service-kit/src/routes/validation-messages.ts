import type { ErrorObject } from 'ajv/dist/2020.js';

/** Part of a request that holds a fault. */
export type Place = 'query' | 'header' | 'body';

/**
 * Formats an ajv error as a sentence with the field, its place and the expected value. Undefined for errors that only repeat
 * others (`if`, and the branches of a choice). The value is never shown: it may be a secret.
 */
export function describeProblem(error: ErrorObject, place: Place): string | undefined {
  const where = nameField(error.instancePath, place);
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return `${nameField(`${error.instancePath}/${String(params['missingProperty'])}`, place)} is missing.`;
    case 'additionalProperties':
      return `${nameField(`${error.instancePath}/${String(params['additionalProperty'])}`, place)} is unknown${listKnown(error)}.`;
    case 'type':
      return `${where} must be ${describeTypes(params['type'])}.`;
    case 'enum':
      return `${where} must be ${listChoices(params['allowedValues'])}.`;
    case 'const':
      return `${where} must be ${JSON.stringify(params['allowedValue'])}.`;
    case 'minLength':
      return params['limit'] === 1 ? `${where} must not be empty.` : `${where} must have at least ${params['limit']} characters.`;
    case 'pattern': {
      const expected: unknown = error.parentSchema?.['description'];
      return `${where} must ${typeof expected === 'string' ? `be ${expected}` : String(error.message).replace(/^must /, '')}.`;
    }
    case 'discriminator':
      return `${nameField(`${error.instancePath}/${String(params['tag'])}`, place)} must be ${listChoices(choicesOf(error))}.`;
    case 'oneOf':
    case 'anyOf':
      return `${where} must have one of the forms that are allowed there.`;
    case 'if':
      return undefined;
    default:
      // ajv's messages name the bound: "must be >= 1", "must match pattern …", "must NOT have more than 3 items".
      return `${where} ${error.message ?? 'cannot be used'}.`;
  }
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
    boolean: 'true or false',
    array: 'an array',
    object: 'an object',
    null: 'null',
  }),
);

function describeTypes(types: unknown): string {
  const names = Array.isArray(types) ? types : [types];
  return names.map((name) => TYPE_NAMES.get(String(name)) ?? String(name)).join(' or ');
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
