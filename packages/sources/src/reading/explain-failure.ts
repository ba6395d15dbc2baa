import { isEngineFailure, locateMisread, type EngineFailure, type EngineLease, type ReadPlan } from '@svc/query-engine';

import type { Commission, DecodeThreads } from '../decoders/threads/decode-threads.ts';
import { findLongLine } from './long-lines.ts';
import { withPlaceOfBytes } from './place-of-bytes.ts';

interface Explaining extends Commission {
  readonly threads: DecodeThreads;
  readonly lease: EngineLease;
}

/**
 * Returns a failure of the engine over files as a sentence for the author of the query: with the file, the line (or element,
 * row) and the column or path. Null if it does not concern these files. An unknown failure is explained by a file of Parquet
 * that cannot be read on its own.
 */
export async function explainFailure(failure: EngineFailure, plan: ReadPlan, explaining: Explaining): Promise<string | null> {
  const { failureClass, sourcePath } = failure;
  if (failureClass === 'internal')
    return plan.kind === 'parquet' ? misreadSentence({ message: '', sourceColumn: undefined }, plan, explaining) : null;
  const long = await findLongLine(failure, plan, explaining.signal);
  if (long !== null) return `${plan.files.find(({ path }) => path === long.sourcePath)?.location ?? ''}: ${long.message}`;
  const i = plan.files.findIndex((file) => file.path === sourcePath);
  const ofPath = plan.files[i];
  if (ofPath === undefined)
    return failureClass !== plan.kind || failure.sourceLine !== undefined ? null : misreadSentence(failure, plan, explaining);
  if (plan.kind === 'json' && failure.fault !== 'unknown-member') {
    const misfit = await explaining.threads.find('json-misfit', { plan, file: i }, explaining);
    if (misfit !== null) return `${ofPath.location}: ${misfit}`;
  }
  if (plan.kind === 'json' || failure.sourceColumn !== undefined) {
    // The engine's own conversions have its own messages: an integer may have been read as a double, a document be counted otherwise.
    const misread = await misreadSentence(failure, plan, explaining);
    if (misread !== null) return misread;
  }
  return `${ofPath.location}: ${await withPlaceOfBytes(failure, plan.compression, explaining.signal)}`;
}

/** Describes the first row that the plan cannot read; null if all can be read, or it cannot be determined. */
async function misreadSentence(
  { message, sourceColumn }: Pick<EngineFailure, 'message' | 'sourceColumn'>,
  plan: ReadPlan,
  { lease, signal }: Explaining,
): Promise<string | null> {
  const misread = await locateMisread(lease, plan, { column: sourceColumn ?? null, signal }).catch((thrown: unknown) => {
    // The search reads the data, too, and fails at what is no row.
    if (isEngineFailure(thrown) && thrown.failureClass === plan.kind) return null;
    throw thrown;
  });
  if (misread === null) return null;
  const place = misread.place === '' ? '' : ` ${misread.place}${plan.kind === 'json' ? ': ' : ', '}`;
  return `${misread.location}:${place === '' ? ' ' : place}${misread.message ?? message}`;
}
