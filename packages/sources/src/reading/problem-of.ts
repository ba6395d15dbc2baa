import { isEngineFailure, type EngineFailure } from '@svc/query-engine';
import type { ReadNeed } from '@svc/query-language';
import { isReadFailure, type ReadFailure } from '@svc/text-formats';

import { shownLocation } from '../locations/location.ts';
import type { UnreadableSource } from '../resolved-read.ts';
import { TooManyFiles } from '../transports/walk-pattern.ts';
import { SourceFailure } from '../transports/source-failure.ts';
import { Misuse } from './misuse.ts';
import type { SourceFile } from './source-file.ts';

/** A failed read and its objects. */
export interface FailedReading {
  readonly need: Pick<ReadNeed, 'location'>;
  /** Null if no object was found. */
  readonly identity: string | null;
  readonly isPersonal: boolean;
  readonly found: readonly SourceFile[];
}

/** Converts bad data and unreadable sources to a problem for the caller; rethrows internal faults. */
export function problemOf(thrown: unknown, { need, identity, isPersonal, found }: FailedReading): UnreadableSource {
  const of = { identity, isPersonal };
  if (thrown instanceof Misuse) return { problem: thrown.message, ...of, isMisuse: true };
  if (thrown instanceof TooManyFiles) return { problem: `${shownLocation(need.location)}: ${thrown.message}`, ...of };
  if (thrown instanceof SourceFailure) return { problem: thrown.message, ...of };
  if (isFailure(thrown) && !OURS.has(thrown.failureClass))
    return { problem: `${locationOf(thrown, found) ?? shownLocation(need.location)}: ${thrown.message}`, ...of };
  throw thrown;
}

const OURS: ReadonlySet<string> = new Set(['internal', 'interrupted', 'out-of-memory', 'spool-full']);

/** Returns whether a thrown value is a failure of reading, or of the engine that inferred a type. */
export function isFailure(thrown: unknown): thrown is ReadFailure | EngineFailure {
  return isReadFailure(thrown) || isEngineFailure(thrown);
}

/** The file that a failure is of, as the caller would write it. */
export function locationOf({ sourcePath }: Pick<ReadFailure, 'sourcePath'>, found: readonly SourceFile[]): string | null {
  if (sourcePath === undefined) return null;
  return found.find((file) => file.path === sourcePath || file.sample?.path === sourcePath)?.location ?? null;
}
