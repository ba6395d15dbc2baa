import { EngineFailure, isEngineFailure } from '@svc/query-engine';

/** What is read of a file: a failure that does not say of which file it is says so. */
export async function* ofFile<Part>(path: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (thrown) {
    throw isEngineFailure(thrown) && thrown.sourcePath === undefined
      ? new EngineFailure(thrown.failureClass, thrown.message, { sourcePath: path, cause: thrown })
      : thrown;
  }
}
