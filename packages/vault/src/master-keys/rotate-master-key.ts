import { SEALED_TABLES, type SealedRecord, type SealedRecordStore, type SealedTable } from '@svc/database';

import { SealedRecordError } from '../envelope/sealed-record-error.ts';
import type { Vault } from '../envelope/vault.ts';

/** Dependencies of a rotation. */
export interface RotationOptions {
  readonly records: SealedRecordStore;
  /** A vault with the new master key and the previous one. */
  readonly vault: Vault;
  /** Stops between two records; the rest is left for another run. */
  readonly signal: AbortSignal;
  /** Called after each batch. */
  readonly onProgress: (progress: RotationProgress) => void;
  readonly batchSize?: number;
}

/** Progress of a rotation in one table. */
export interface RotationProgress {
  readonly table: string;
  readonly rewrapped: number;
  /** Number of records under another master key when the table was started. */
  readonly total: number;
}

/** Result of a rotation. */
export interface RotationOutcome {
  readonly rewrapped: number;
  /** Records left under another master key: one sentence for each that could not be opened. */
  readonly failures: readonly string[];
}

const BATCH_SIZE = 200;

/**
 * Rewraps the data keys of all sealed records under the current master key. Records are replaced one by one, each by
 * compare-and-set: services may read and write meanwhile, and an interrupted run is continued by the next.
 */
export async function rotateMasterKey(options: RotationOptions): Promise<RotationOutcome> {
  let rewrapped = 0;
  const failures: string[] = [];
  for (const table of SEALED_TABLES) {
    const outcome = await rotateTable(table, options);
    rewrapped += outcome.rewrapped;
    failures.push(...outcome.failures);
  }
  return { rewrapped, failures };
}

async function rotateTable(table: SealedTable, options: RotationOptions): Promise<RotationOutcome> {
  const { records, vault, onProgress, signal, batchSize = BATCH_SIZE } = options;
  const of = { table, prefix: vault.sealedPrefix };
  const total = await records.count(of);
  const failures = new Set<string>();
  let rewrapped = 0;
  let isWorthAnotherPass = true;
  // A record may be changed concurrently, or sealed by a service whose current key is the previous one.
  while (isWorthAnotherPass && !signal.aborted) {
    isWorthAnotherPass = false;
    let after: SealedRecord['id'] | null = null;
    for (;;) {
      const batch: readonly SealedRecord[] = await records.list(of, { after, limit: batchSize });
      for (const record of batch) {
        if (signal.aborted) break;
        const outcome = await rotateRecord(table, record, options);
        if (outcome === 'rewrapped') rewrapped += 1;
        if (outcome === 'rewrapped' || outcome === 'changed') isWorthAnotherPass = true;
        else failures.add(outcome.failure);
      }
      if (batch.length > 0) onProgress({ table: table.table, rewrapped, total });
      if (batch.length < batchSize || signal.aborted) break;
      after = batch.at(-1)?.id ?? null;
    }
  }
  return { rewrapped, failures: [...failures] };
}

async function rotateRecord(
  table: SealedTable,
  record: SealedRecord,
  { records, vault }: RotationOptions,
): Promise<'rewrapped' | 'changed' | { readonly failure: string }> {
  try {
    const sealed = vault.rewrap(record, record.sealed);
    return sealed !== null && (await records.replace(table, record, sealed)) ? 'rewrapped' : 'changed';
  } catch (error) {
    if (error instanceof SealedRecordError) return { failure: error.message };
    throw error;
  }
}
