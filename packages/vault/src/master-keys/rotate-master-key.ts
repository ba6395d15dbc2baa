import { SEALED_TABLES, type SealedRecord, type SealedRecordStore, type SealedTable } from '@svc/database';

import { SealedRecordError } from '../envelope/sealed-record-error.ts';
import type { Vault } from '../envelope/vault.ts';

/** What a rotation works on. */
export interface RotationOptions {
  readonly records: SealedRecordStore;
  /** With the new master key, and the previous one. */
  readonly vault: Vault;
  /** Stops between two records; the rest is left for another run. */
  readonly signal: AbortSignal;
  /** Told after each batch. */
  readonly onProgress: (progress: RotationProgress) => void;
  readonly batchSize?: number;
}

/** How far a rotation is with one table. */
export interface RotationProgress {
  readonly table: string;
  readonly rewrapped: number;
  /** Of those that were under another master key when the table's turn came. */
  readonly total: number;
}

/** How a rotation ended. */
export interface RotationOutcome {
  readonly rewrapped: number;
  /** What is left under another master key, a sentence for each record that does not open. */
  readonly failures: readonly string[];
}

const BATCH_SIZE = 200;

/**
 * Puts the data keys of all sealed records under the current master key. Records are replaced one by one, each only if it is still what was
 * read: services read and write meanwhile, and a run that is killed is continued by the next.
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
  // A record may be changed under our hands, or sealed by a service that has the previous key as its current one.
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
