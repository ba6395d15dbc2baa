import type { EngineLease, ReadPlan } from '@svc/query-engine';
import { EngineFailure, locateMisread } from '@svc/query-engine';

import type { Commission, DecodeThreads } from '../decoders/threads/decode-threads.ts';
import { withPlaceOfBytes } from '../decoders/decode-text.ts';
import { findCutLine, findLongLine } from './long-lines.ts';

interface Explaining extends Commission {
  readonly threads: DecodeThreads;
  readonly lease: EngineLease;
}

/**
 * Converts a failure of the engine over files to words for the author of the query: with the file, the line (or element,
 * row) and the column or path. Null if it does not concern these files. An unknown failure is explained by a file of Parquet
 * that cannot be read on its own.
 */
export async function explainFailure(failure: EngineFailure, plan: ReadPlan, explaining: Explaining): Promise<EngineFailure | null> {
  const { failureClass } = failure;
  if (failureClass === 'internal')
    return plan.kind === 'parquet' ? misreadFailure(new EngineFailure('parquet', '', { cause: failure }), plan, explaining) : null;
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
    const misfit = failure.isUnknownMember ? null : await explaining.threads.find('json-misfit', { plan, file: i }, explaining);
    if (misfit !== null) return new EngineFailure(failureClass, `${ofPath.location}: ${misfit}`, { cause: failure });
    // The engine's own conversions have its own messages, and its own count of documents.
    const misread = await misreadFailure(failure, plan, explaining);
    if (misread !== null) return misread;
  }
  const placed = await withPlaceOfBytes(failure, plan.compression, explaining.signal);
  return new EngineFailure(failureClass, `${ofPath.location}: ${placed.message}`, { cause: failure });
}

/** Returns the failure of the first row that the plan cannot read; null if all can be read, or it cannot be determined. */
async function misreadFailure(failure: EngineFailure, plan: ReadPlan, { lease, signal }: Explaining): Promise<EngineFailure | null> {
  const misread = await locateMisread(lease, plan, { column: failure.sourceColumn ?? null, signal });
  if (misread === null) return null;
  const place = misread.place === '' ? '' : ` ${misread.place}${plan.kind === 'json' ? ': ' : ', '}`;
  const text = `${misread.location}:${place === '' ? ' ' : place}${misread.message ?? failure.message}`;
  return new EngineFailure(failure.failureClass, text, { cause: failure });
}
