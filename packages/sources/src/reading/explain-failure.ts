import type { EngineLease, ReadPlan } from '@svc/query-engine';
import { EngineFailure, locateMisread } from '@svc/query-engine';

import type { DecodeThreads } from '../decoders/threads/decode-threads.ts';
import { withPlaceOfBytes } from '../decoders/decode-text.ts';
import { findCutLine, findLongLine } from './long-lines.ts';

interface Explaining {
  readonly threads: DecodeThreads;
  readonly lease: EngineLease;
  readonly signal: AbortSignal;
}

/**
 * What a failure of the engine's over files means in the words of who wrote the query: with the file, the line (or element, row) and the
 * column or path. Null where it is none of these files'.
 */
export async function explainFailure(failure: EngineFailure, plan: ReadPlan, explaining: Explaining): Promise<EngineFailure | null> {
  const { failureClass } = failure;
  const long = await (failure.isLongLine ? findLongLine(plan, explaining.signal) : findCutLine(failure, plan, explaining.signal));
  if (long !== null) {
    const file = plan.files.find(({ path }) => path === long.sourcePath);
    return new EngineFailure(failureClass, `${file?.location ?? ''}: ${long.message}`, { cause: failure });
  }
  if (failure.isLongLine) return null;
  const i = plan.files.findIndex((file) => file.path === failure.sourcePath);
  const ofPath = plan.files[i];
  if (ofPath === undefined)
    return failureClass !== plan.kind || failure.sourceLine !== undefined ? null : misreadFailure(failure, plan, explaining);
  if (plan.kind === 'json') {
    const misfit = failure.isUnknownMember ? null : await explaining.threads.find('json-misfit', { plan, file: i }, explaining.signal);
    if (misfit !== null) return new EngineFailure(failureClass, `${ofPath.location}: ${misfit}`, { cause: failure });
    // Where the engine converts values itself, it says so in its own words, and counts documents in its own way.
    const misread = await misreadFailure(failure, plan, explaining);
    if (misread !== null) return misread;
  }
  const placed = await withPlaceOfBytes(failure, plan.compression, explaining.signal);
  return new EngineFailure(failureClass, `${ofPath.location}: ${placed.message}`, { cause: failure });
}

/** The failure of the first row that cannot be read as the plan says; null where all can, or nobody can tell. */
async function misreadFailure(failure: EngineFailure, plan: ReadPlan, { lease, signal }: Explaining): Promise<EngineFailure | null> {
  const misread = await locateMisread(lease, plan, { column: failure.sourceColumn ?? null, signal });
  if (misread === null) return null;
  const place = misread.place === '' ? '' : ` ${misread.place}${plan.kind === 'json' ? ': ' : ', '}`;
  const text = `${misread.location}:${place === '' ? ' ' : place}${misread.message ?? failure.message}`;
  return new EngineFailure(failure.failureClass, text, { cause: failure });
}
