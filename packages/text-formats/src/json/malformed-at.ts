import type { Compression } from '../read-bytes.ts';
import { placeOfByte } from '../place-of-byte.ts';
import { ReadFailure } from '../read-failure.ts';
import { READ_MESSAGES } from '../read-messages.ts';
import type { MalformedJson } from './json-scanner.ts';

interface MalformedPlace {
  readonly path: string;
  readonly thrown: MalformedJson;
  readonly compression: Compression | null;
  readonly signal: AbortSignal;
}

/** Returns the failure of invalid JSON, with line and column. */
export async function malformedAt(byte: number, { thrown, ...file }: MalformedPlace): Promise<ReadFailure> {
  return new ReadFailure('json', `${await placeOfByte({ ...file, byte })}: ${READ_MESSAGES.malformedJson(thrown.message)}`, {
    sourcePath: file.path,
    cause: thrown,
  });
}
