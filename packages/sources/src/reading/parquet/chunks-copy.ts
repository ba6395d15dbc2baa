import type { ParquetChunk } from '@svc/query-engine';

import type { Copy } from '../../spool/spool.ts';
import { readsExactly } from '../../transports/read-exactly.ts';
import type { ByteRange, RemoteObject } from '../../transports/transport.ts';
import { footerOf, PARQUET_MARK, TAIL_BYTES } from './footer.ts';
import { keepRowGroups } from './row-groups.ts';

/** The parts of a Parquet object to fetch. */
export interface WantedChunks {
  readonly chunks: readonly ParquetChunk[];
  /** Positions of top-level columns. */
  readonly columns: ReadonlySet<number>;
  /** Positions of row groups; null for all. */
  readonly rowGroups: readonly number[] | null;
}

/** A copy of part of an object, with the byte ranges of the object that it needs in addition to the footer. */
export interface ChunksCopy {
  readonly copy: Copy;
  readonly bytes: number;
}

/** Returns a Parquet file with some columns and row groups of an object, at their offsets; the gaps take no space. */
export function chunksCopy(object: RemoteObject, wanted: WantedChunks): ChunksCopy {
  const { identity, location, bytes } = object;
  const { rowGroups } = wanted;
  const ranges = rangesOf(wanted, object);
  const copy: Copy = {
    key: `columns ${JSON.stringify([rowGroups, ranges.map(({ start, end }) => [start, end])])} ${identity}`,
    parts: async function* (signal) {
      yield* rowGroups === null ? footerOf(object).parts(signal) : footerOfSome(object, rowGroups, signal);
      yield* inOrder(piecesOf(ranges), async (range) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of readsExactly(bytes.open(range, signal), { bytes: range.end - range.start, location })) pieces.push(piece);
        return { at: range.start, bytes: Buffer.concat(pieces) };
      });
    },
  };
  return { copy, bytes: ranges.reduce((sum, { start, end }) => sum + end - start, 0) };
}

/** Writes a footer without the row groups that were not fetched, so that the engine never reads gaps as zeros. */
async function* footerOfSome(object: RemoteObject, rowGroups: readonly number[], signal: AbortSignal) {
  let [all, beginsAt] = [Buffer.alloc(0), 0];
  for await (const { at, bytes } of footerOf(object).parts(signal)) {
    if (at === 0) {
      yield { at, bytes };
      continue;
    }
    if (all.length === 0) beginsAt = at;
    all = Buffer.concat([all, bytes]);
  }
  const length = all.readUInt32LE(all.length - TAIL_BYTES);
  const start = all.length - TAIL_BYTES - length;
  const kept = keepRowGroups(all.subarray(start, start + length), rowGroups);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(kept.length);
  yield { at: beginsAt + start, bytes: Buffer.concat([kept, size, PARQUET_MARK]) };
}

/** Maximum gap that is fetched with its surroundings. */
const SMALL_GAP = 1024;

/** The bytes of some columns, those that lie side by side as one. */
function rangesOf({ chunks, columns, rowGroups }: WantedChunks, { size }: RemoteObject): readonly ByteRange[] {
  const wanted = chunks
    .filter(({ column, rowGroup }) => columns.has(column) && (rowGroups === null || rowGroups.includes(rowGroup)))
    .toSorted((a, b) => a.start - b.start);
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end: told } of wanted) {
    const end = Math.min(told, size ?? told);
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end + SMALL_GAP) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

const PIECE_BYTES = 8 * 2 ** 20;

function piecesOf(ranges: readonly ByteRange[]): readonly ByteRange[] {
  return ranges.flatMap(({ start, end }) =>
    Array.from({ length: Math.ceil((end - start) / PIECE_BYTES) }, (_, i) => ({
      start: start + i * PIECE_BYTES,
      end: Math.min(start + (i + 1) * PIECE_BYTES, end),
    })),
  );
}

const FETCHED_AT_ONCE = 4;

/** Yields results in the order of the requests; some are fetched ahead. */
async function* inOrder<Asked, Fetched>(asked: readonly Asked[], fetch: (one: Asked) => Promise<Fetched>): AsyncGenerator<Fetched> {
  const ahead: Promise<Fetched>[] = [];
  let next = 0;
  const begin = (): void => {
    const one = asked[next++];
    if (one === undefined) return;
    const fetching = fetch(one);
    fetching.catch(() => undefined); // it is told when its turn comes
    ahead.push(fetching);
  };
  for (let i = 0; i < FETCHED_AT_ONCE; i += 1) begin();
  for (let first = ahead.shift(); first !== undefined; first = ahead.shift()) {
    const fetched = await first;
    begin();
    yield fetched;
  }
}
