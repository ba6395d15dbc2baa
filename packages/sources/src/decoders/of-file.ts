import { isReadFailure, ReadFailure } from '@svc/text-formats';

/** Adds the file to failures of its parts that have none. */
export async function* ofFile<Part>(path: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (thrown) {
    throw isReadFailure(thrown) && thrown.sourcePath === undefined
      ? new ReadFailure(thrown.failureClass, thrown.message, { sourcePath: path, cause: thrown })
      : thrown;
  }
}
