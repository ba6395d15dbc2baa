import { UsageError } from '../failures/cli-errors.ts';

/** Collects the values of `--index`: fields with commas between. */
export function collectIndex(text: string, before: readonly string[][]): string[][] {
  return [...before, parseFields('--index', text)];
}

/** Parses the value of an option: fields with commas between. */
export function parseFields(name: string, text: string): string[] {
  const fields = text.split(',').map((field) => field.trim());
  if (fields.some((field) => field === ''))
    throw new UsageError(`${name} takes fields with commas between, found ${JSON.stringify(text)}.`);
  return fields;
}
