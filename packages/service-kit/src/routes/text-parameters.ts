import type { JsonSchema, ParameterSchemas } from './route.ts';

/** Largest integer of a URL or a header: numbers with more digits are not exact in JavaScript. */
export const LARGEST_TEXT_INTEGER = 999_999_999_999_999;

/** Options for parsing the texts of one place. */
export interface TextParameterOptions {
  /** True if the case of values is ignored, as for option headers. */
  readonly ignoresCase: boolean;
}

/**
 * Converts texts from a URL or from headers to the types of their schemas. Texts that cannot be converted stay unchanged and
 * fail validation. Undeclared names are dropped, defaults are filled in.
 */
export function readTextParameters(
  schemas: ParameterSchemas,
  textOf: (name: string) => string | undefined,
  options: TextParameterOptions,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas.properties)) {
    const text = textOf(name);
    if (text !== undefined) values[name] = readText(schema, text, options);
    else if (schema.default !== undefined) values[name] = schema.default;
  }
  return values;
}

function readText(schema: JsonSchema, text: string, { ignoresCase }: TextParameterOptions): unknown {
  const comparable = ignoresCase ? text.toLowerCase() : text;
  if (schema.type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (schema.type === 'boolean') return BOOLEANS.get(comparable) ?? text;
  if (!ignoresCase || !Array.isArray(schema.enum)) return text;
  return schema.enum.find((choice: unknown) => typeof choice === 'string' && choice.toLowerCase() === comparable) ?? text;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
