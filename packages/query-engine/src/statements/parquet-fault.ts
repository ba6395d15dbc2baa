import { READ_MESSAGES } from '@svc/text-formats';

import type { EngineLease } from '../instances/engine-lease.ts';
import { EngineFailure, isEngineFailure } from './engine-failure.ts';

/**
 * Runs a step that only reads Parquet files. Such a step has no fault of its own, so a failure with an unknown message, of
 * which a damaged file can cause any number, is one of the files: its class is `parquet`.
 */
export async function readingParquet<T>(lease: EngineLease, step: () => Promise<T>): Promise<T> {
  // An engine that is broken already fails whatever it reads.
  const wasBroken = lease.isBroken;
  try {
    return await step();
  } catch (thrown) {
    if (wasBroken || !isEngineFailure(thrown) || thrown.failureClass !== 'internal') throw thrown;
    throw new EngineFailure('parquet', READ_MESSAGES.notOfFormat('Parquet'), { isFatal: thrown.isFatal, cause: thrown.cause });
  }
}
