import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';

import { APPLICATION_SCHEMA, type ApplicationContent, type ApplicationDefinition, type DefinitionProblem } from './definition-schema.ts';

/** The media types of a definition. */
export const DEFINITION_MEDIA_TYPES = ['application/yaml', 'application/json'] as const;

/** A definition in its form, or all that is wrong with that. `namespace` is the member that a file has. */
export type ParsedDefinition =
  | { readonly kind: 'definition'; readonly content: ApplicationContent; readonly namespace: string | null }
  | { readonly kind: 'problems'; readonly problems: readonly DefinitionProblem[]; readonly namespace: string | null };

/** Options of parsing a definition. */
export interface ParseOptions {
  readonly mediaType: string;
  /** The name that the definition must have. */
  readonly name: string;
  /** A file of the operator's names the namespace that owns it. */
  readonly isFile?: boolean;
}

/** Maximum number of YAML aliases: a short text must not expand to a huge value. */
const MOST_ALIASES = 100;

const validator = new Ajv2020({ allErrors: true, strict: true, verbose: true });
const checkForm = validator.compile<ApplicationDefinition>(APPLICATION_SCHEMA);

/** Parses a definition, YAML 1.2 or JSON, and checks its form; its references are checked by `resolveApplication`. */
export function parseDefinition(text: string, { mediaType, name, isFile = false }: ParseOptions): ParsedDefinition {
  const read = readText(text, mediaType);
  if (read.kind === 'problem') return { kind: 'problems', problems: [{ message: read.message, path: '' }], namespace: null };
  const { value, namespace, problems } = isFile ? takeNamespace(read.value) : { value: read.value, namespace: null, problems: [] };
  const form = formProblems(value);
  const found = [...problems, ...form, ...nameProblems(value, name), ...(form.length === 0 ? textProblems(read.value, '') : [])];
  if (found.length > 0) return { kind: 'problems', problems: found, namespace };
  const definition = value as ApplicationDefinition; // as its form was checked
  const { scopes = [], packages = [], endpoints = [] } = definition;
  return { kind: 'definition', content: { ...definition, scopes, packages, endpoints }, namespace };
}

type ReadText = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'problem'; readonly message: string };

/** JSON is valid YAML 1.2, whose parser detects duplicate members. */
function readText(text: string, mediaType: string): ReadText {
  if (text.includes('\0')) return { kind: 'problem', message: 'the text holds U+0000, which cannot be stored' };
  try {
    if (mediaType === 'application/json') JSON.parse(text);
    const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, stringKeys: true });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) return { kind: 'problem', message: firstLine(fault.message) };
    return { kind: 'value', value: document.toJS({ maxAliasCount: MOST_ALIASES }) as unknown };
  } catch (error) {
    // Thrown by JSON.parse, or by the limit of aliases.
    return { kind: 'problem', message: firstLine((error as Error).message) };
  }
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n', 1);
  // Advice of the parser to its own callers.
  return line.replace('; please use YAML.parseAllDocuments()', '').replace(/:$/, '');
}

function takeNamespace(value: unknown) {
  if (!isObject(value)) return { value, namespace: null, problems: [] };
  const { namespace, ...rest } = value;
  if (typeof namespace === 'string' && namespace !== '') return { value: rest, namespace, problems: [] };
  const message = namespace === undefined ? 'the member namespace is missing: a file names its owner' : 'must be a text that is not empty';
  return { value: rest, namespace: null, problems: [{ message, path: '/namespace' }] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function formProblems(value: unknown): readonly DefinitionProblem[] {
  if (checkForm(value)) return [];
  return (checkForm.errors ?? []).map(describe);
}

/** Escapes write characters that the database stores in no text and no JSON. */
function textProblems(value: unknown, path: string): readonly DefinitionProblem[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, part]) => textProblems(part, pointTo(path, name)));
  if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) return [];
  return [{ message: 'holds U+0000 or half a character (an unpaired surrogate), which cannot be stored', path }];
}

function pointTo(path: string, member: unknown): string {
  return `${path}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A fault of the form, at the member that is unknown or missing itself. */
function describe({ keyword, instancePath, params, message, parentSchema }: ErrorObject): DefinitionProblem {
  const at = (member: unknown): string => pointTo(instancePath, member);
  switch (keyword) {
    case 'additionalProperties':
      return { message: 'this member is unknown', path: at(params['additionalProperty']) };
    case 'required':
      return { message: 'this member is missing', path: at(params['missingProperty']) };
    case 'enum':
      return { message: `must be one of ${(params['allowedValues'] as readonly string[]).join(', ')}`, path: instancePath };
    case 'not':
      return { message: 'this name is taken', path: instancePath };
    case 'pattern':
      return { message: `must be ${String(parentSchema?.['description'])}`, path: instancePath };
    case 'type':
      return { message: `must be ${TYPES.get(String(params['type'])) ?? 'of another type'}`, path: instancePath };
    case 'uniqueItems':
      return { message: 'stands in the list twice', path: `${instancePath}/${String(params['j'])}` };
    default:
      return { message: message ?? 'cannot be used', path: instancePath };
  }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

/** The name in the text must be the one it is stored under. */
function nameProblems(value: unknown, name: string): readonly DefinitionProblem[] {
  if (!isObject(value) || typeof value['application'] !== 'string' || value['application'] === name) return [];
  return [{ message: `must be ${name}, the name that the definition is put under`, path: '/application' }];
}
