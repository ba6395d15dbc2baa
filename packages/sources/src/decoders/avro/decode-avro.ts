import type { Type } from '@svc/query-language';
import { printType, unify } from '@svc/query-language';
import { ReadFailure } from '@svc/text-formats';

import { ofFile } from '../of-file.ts';
import type { AvroFile } from './avro-file.ts';
import { openAvroFile } from './avro-file.ts';

/** A file to convert to JSON lines. */
export interface AvroLinesJob extends AvroFile {
  /** Location as the user would write it. */
  readonly location: string;
}

/** Files whose type is inferred. */
export interface AvroTypeJob {
  readonly files: readonly AvroLinesJob[];
}

/** The type of each value. */
export interface AvroType {
  readonly type: Type;
}

/** Writes the values of a file as lines of JSON. Fails with a ReadFailure. */
export async function* avroLines(file: AvroLinesJob, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  yield* ofFile(file.path, linesOf(file, signal));
}

async function* linesOf(file: AvroFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { lines } = await openAvroFile(file, signal);
  yield* lines;
}

/** Finds out the type that all files have by their schemas. Fails with a ReadFailure. */
export async function findAvroType({ files }: AvroTypeJob, signal: AbortSignal): Promise<AvroType> {
  let all: Type | null = null;
  for (const file of files) {
    const { shape, close } = await openAvroFile(file, signal);
    await close();
    const both: Type | null = all === null ? shape.type : unify(all, shape.type);
    if (both === null) throw new ReadFailure('unreadable', `${file.location} is ${printType(shape.type)}, and others are not`);
    all = both;
  }
  if (all === null) throw new Error('there is a file');
  return { type: all };
}
