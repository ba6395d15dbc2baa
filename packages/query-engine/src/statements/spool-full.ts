import { EngineFailure } from './engine-failure.ts';

/** A file of the spool that there is no more space for, where no message of the engine's says how much there was. */
export function spoolFull(cause: unknown): EngineFailure {
  return new EngineFailure('spool-full', 'the query needs more spool space than it may use', { cause });
}
