import { EngineFailure, isEngineFailure } from '@svc/query-engine';

/** Adds the file to failures of its parts that have none. */
export async function* ofFile<Part>(path: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (thrown) {
    throw isEngineFailure(thrown) && thrown.sourcePath === undefined
      ? new EngineFailure(thrown.failureClass, thrown.message, { sourcePath: path, cause: thrown })
      : thrown;
  }
}
