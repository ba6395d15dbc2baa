import { holdAll } from '@svc/concurrency';
import type { EngineLease, FileColumn, Inferred, OnError, ReadPlan } from '@svc/query-engine';
import type { ReadNeed } from '@svc/query-language';

import type { DecodeThreads } from '../decoders/threads/decode-threads.ts';
import type { FileFormat } from '../file-format.ts';
import type { Copy, Spool } from '../spool/spool.ts';
import type { ToldType } from './file-columns.ts';
import type { PreparedPlan, SeenFile } from './prepare-files.ts';

/** The resolved form of a read. */
export interface OpenedRead {
  readonly format: FileFormat;
  readonly inferred: Inferred<ReadPlan>;
  /** Copies that must be held while the plan is read. */
  readonly copies: readonly Copy[];
  /** A plan that reads the first rows, of which the last may be incomplete, without the whole of a remote file. */
  readonly beginning?: PreparedPlan | undefined;
}

/** Tools for inspecting data. */
export interface ReadTools {
  readonly spool: Spool;
  readonly threads: DecodeThreads;
  readonly lease: () => Promise<EngineLease>;
  readonly caller: string;
  readonly signal: AbortSignal;
}

/** A read with the inputs of its format. */
export interface ReadRequest extends ReadTools {
  readonly need: ReadNeed;
  readonly seen: readonly SeenFile[];
  readonly told: ToldType;
}

/** Returns the text of an option. Undefined if the option is absent. */
export function textOption(options: ReadNeed['options'], name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

interface RowOptions {
  readonly signal: AbortSignal;
  readonly fileColumns: readonly FileColumn[];
  readonly sampleSize?: number;
  readonly onError?: OnError;
}

/** Reads the options that all row formats share. */
export function rowOptions({ need, told, signal }: ReadRequest): RowOptions {
  const sampleSize = need.options['sample_size'];
  const onError = need.options['on_error'];
  return {
    signal,
    fileColumns: told.fileColumns,
    ...(typeof sampleSize === 'number' ? { sampleSize } : {}),
    ...(onError === 'null' ? { onError: 'null' } : onError === 'skip' ? { onError: 'skip' } : {}),
  };
}

/** Runs `look` while the copies are there. */
export async function whileHeld<T>(copies: readonly Copy[], tools: ReadTools, look: () => Promise<T>): Promise<T> {
  const release = await holdAll(copies, async (copy) => tools.spool.hold(copy, tools.signal, tools.caller));
  try {
    return await look();
  } finally {
    release();
  }
}
