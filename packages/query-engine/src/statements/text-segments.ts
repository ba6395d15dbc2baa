import duckdb from '@duckdb/node-bindings';
import type { DuckDBDataChunk } from '@duckdb/node-api';

import { freeBytes } from './free-bytes.ts';

/** Bytes of one entry of a vector of text: length, then the text itself (up to 12 bytes) or a prefix and a pointer. */
const ENTRY_BYTES = 16;
const MAX_INLINE = 12;
const INLINE_AT = 4;
const POINTER_AT = 8;

/** The texts of one vector: how long each is, and their bytes one behind the other. */
export interface TextVector {
  readonly rows: number;
  readonly length: (row: number) => number;
  /** The bytes of rows `from` up to, not including, `to`, in few pieces; copies that outlive the chunk. */
  readonly pieces: (from: number, to: number) => readonly Uint8Array[];
  /** Releases the memory of the chunk, and of what was read of it, at once. The other methods must not be called afterwards. */
  readonly close: () => void;
}

/**
 * Reads the first column of a chunk, text that is never NULL, without a string per row: long texts are mostly contiguous in
 * the engine's memory, and each such run is copied at once. `null` if a row is NULL.
 */
export function readTextVector(chunk: DuckDBDataChunk): TextVector | null {
  const rows = chunk.rowCount;
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0);
  const validity = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8);
  if (validity !== null && !isAllValid(validity, rows)) return null;
  const entries = duckdb.vector_get_data(vector, rows * ENTRY_BYTES);
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  const length = (row: number): number => view.getUint32(row * ENTRY_BYTES, true);
  const close = (): void => {
    chunk.reset();
    freeBytes(entries);
  };
  return { rows, length, pieces: (from, to) => copyTexts(entries, view, { from, to }), close };
}

function isAllValid(validity: Uint8Array, rows: number): boolean {
  for (let row = 0; row < rows; row++) {
    if (((validity[row >> 3] ?? 0) & (1 << (row & 7))) === 0) return false;
  }
  return true;
}

/** Rows from `from` up to, not including, `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Minimum size of a contiguous text that is a piece of its own: copying it again would cost more. */
const LEAST_PIECE = 32 * 1024;

function copyTexts(entries: Uint8Array, view: DataView, { from, to }: RowRange): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let short: Uint8Array[] = [];
  const gather = (): void => {
    if (short.length === 1 && short[0] !== undefined) pieces.push(short[0]);
    if (short.length > 1) {
      pieces.push(Buffer.concat(short));
      for (const bytes of short) freeBytes(bytes);
    }
    short = [];
  };
  for (let row = from; row < to;) {
    const entry = row * ENTRY_BYTES;
    if (view.getUint32(entry, true) <= MAX_INLINE) {
      const run = inlineRun(entries, view, { from: row, to });
      if (run.bytes.byteLength > 0) short.push(run.bytes);
      row = run.next;
      continue;
    }
    const run = runFrom(view, { from: row, to });
    const bytes = duckdb.get_data_from_pointer(arrayBuffer(entries), entries.byteOffset + entry + POINTER_AT, run.length);
    if (run.length >= LEAST_PIECE) gather();
    (run.length >= LEAST_PIECE ? pieces : short).push(bytes);
    row = run.next;
  }
  gather();
  return pieces;
}

/** Returns the run of inlined texts from a row on. */
function inlineRun(entries: Uint8Array, view: DataView, { from, to }: RowRange): { readonly bytes: Uint8Array; readonly next: number } {
  let total = 0;
  let next = from;
  for (; next < to; next++) {
    const length = view.getUint32(next * ENTRY_BYTES, true);
    if (length > MAX_INLINE) break;
    total += length;
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (let row = from; row < next; row++) {
    const entry = row * ENTRY_BYTES;
    const length = view.getUint32(entry, true);
    for (let i = 0; i < length; i++) bytes[at + i] = entries[entry + INLINE_AT + i] ?? 0;
    at += length;
  }
  return { bytes, next };
}

/** Returns the extent of the contiguous texts from a row on. */
function runFrom(view: DataView, { from, to }: RowRange): { readonly length: number; readonly next: number } {
  const start = pointerAt(view, from);
  let length = view.getUint32(from * ENTRY_BYTES, true);
  let next = from + 1;
  for (; next < to; next++) {
    const entry = next * ENTRY_BYTES;
    const nextLength = view.getUint32(entry, true);
    if (nextLength <= MAX_INLINE || pointerAt(view, next) !== start + length) break;
    length += nextLength;
  }
  return { length, next };
}

/** Addresses have 48 bits, which are exact in a number. */
function pointerAt(view: DataView, row: number): number {
  const at = row * ENTRY_BYTES + POINTER_AT;
  return view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
}

function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  if (bytes.buffer instanceof ArrayBuffer) return bytes.buffer;
  return bytes.buffer as unknown as ArrayBuffer; // An ArrayBuffer of another realm, as the test runner makes them.
}
