import {
  isEngineFailure,
  locateMisread,
  type CsvReadPlan,
  type EngineFailure,
  type EngineLease,
  type JsonReadPlan,
} from '@svc/query-engine';
import { findJsonMisfit } from '@svc/text-formats';

import { RefusedRows } from './refused-rows.ts';
import { findBadLine } from './spool-rows.ts';

interface Explaining {
  readonly plan: CsvReadPlan | JsonReadPlan;
  readonly lease: EngineLease;
  readonly signal: AbortSignal;
}

/** Returns what a failure of the engine over the rows of an upload means to who sent them; the failure itself where the rows are not at fault. */
export async function explainFailure(failure: EngineFailure, { plan, lease, signal }: Explaining): Promise<RefusedRows | EngineFailure> {
  if (failure.failureClass !== plan.kind) return failure;
  const path = plan.files[0]?.path ?? '';
  const badLine = await findBadLine(path, signal);
  if (badLine !== null) return new RefusedRows(`line ${badLine}: the bytes are not UTF-8 text`, failure);
  if (plan.kind === 'csv' && failure.sourceLine !== undefined && failure.sourceColumn === undefined)
    return new RefusedRows(failure.message, failure);
  const found = await locateMisread(lease, plan, { column: null, signal }).catch(failureOf);
  if (found !== null && !isEngineFailure(found)) {
    const message = found.message ?? failure.message;
    return new RefusedRows(`${found.place}${message.startsWith('field ') ? ', ' : ': '}${message}`, failure);
  }
  const misfit = plan.kind === 'json' ? await findJsonMisfit(plan, 0, signal) : null;
  return new RefusedRows(misfit ?? (found ?? failure).message, failure);
}

function failureOf(thrown: unknown): EngineFailure {
  if (isEngineFailure(thrown)) return thrown;
  throw thrown;
}
