import type { EngineFailure } from '@svc/query-engine';
import { isEngineFailure } from '@svc/query-engine';
import type { ReadNeed } from '@svc/query-language';

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
  if (isEngineFailure(thrown) && !OURS.has(thrown.failureClass))
    return { problem: `${locationOf(thrown, found) ?? shownLocation(need.location)}: ${thrown.message}`, ...of };
  throw thrown;
}

const OURS: ReadonlySet<string> = new Set(['internal', 'interrupted', 'out-of-memory', 'spool-full']);

/** The file that a failure is of, as the caller would write it. */
export function locationOf({ sourcePath }: EngineFailure, found: readonly SourceFile[]): string | null {
  if (sourcePath === undefined) return null;
  return found.find((file) => file.path === sourcePath || file.sample?.path === sourcePath)?.location ?? null;
}
