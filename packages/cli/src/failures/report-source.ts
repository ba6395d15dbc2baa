import { ApiError } from '@svc/api-client';

import { SourceError } from './cli-errors.ts';
import type { SourceText } from './draw-problem.ts';

/** Waits for a call that has sent a text, so that errors in the text are drawn below its lines. */
export async function reportSource<Value>(source: SourceText, call: Promise<Value>): Promise<Value> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof ApiError ? new SourceError(source, error) : error;
  }
}
