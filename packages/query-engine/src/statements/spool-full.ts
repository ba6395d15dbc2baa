import { EngineFailure } from './engine-failure.ts';

/** Returns the failure of a spool file that exceeds the space, if the engine's message does not name the amount. */
export function spoolFull(cause: unknown): EngineFailure {
  return new EngineFailure('spool-full', 'the query needs more spool space than it may use', { cause });
}
