import { tableFileReader } from '@svc/query-engine';
import type { CollectionType, ReadNeed } from '@svc/query-language';
import { FIXED_READ_TYPES, ownValue } from '@svc/query-language';

import { holdNothing } from '../reading/resolve-objects.ts';
import type { ResolvedRead, RowNeeds, UnreadableSource } from '../resolved-read.ts';
import { fetchRows } from '../spool/fetch-rows.ts';
import type { Spool } from '../spool/spool.ts';
import type { Asking, FoundEntry, LongList } from '../transports/transport.ts';
import { modifiedText } from './listing.ts';

type ListNeed = ReadNeed & { readonly function: 'LS' | 'LL' };

/** A location that is listed, and the way to do that. */
interface ListingInRuns<Named> {
  readonly list: LongList<Named>;
  readonly location: Named;
  readonly asking: Asking;
  readonly spool: Spool;
}

/** Implements LS or LL of a possibly long list: existence is determined now, and each run lists as much as it needs. */
export async function listInRuns<Named>(
  need: ListNeed,
  { list, location, asking, spool }: ListingInRuns<Named>,
): Promise<ResolvedRead | UnreadableSource> {
  const first = await list.entries(location, asking)[Symbol.asyncIterator]().next();
  if (first.done === true) return { problem: `path not found: ${need.location}`, identity: null };
  return readInRuns(need, {
    identity: await list.identify(location, asking),
    isPersonal: true,
    entries: (signal) => list.entries(location, { ...asking, signal }),
    spool,
  });
}

/** A listing repeated by each run. */
interface ListedInRuns extends Pick<ResolvedRead, 'identity' | 'isPersonal'> {
  readonly entries: (signal: AbortSignal) => AsyncIterable<FoundEntry>;
  readonly spool: Spool;
}

/** LS or LL of entries that are listed in each run. */
export function readInRuns(need: ListNeed, { identity, isPersonal, entries, spool }: ListedInRuns): ResolvedRead {
  const type = ownValue(FIXED_READ_TYPES, need.function) as CollectionType; // of entries
  const all = need.function === 'LS' ? [0] : [0, 1, 2];
  return {
    type,
    reader: tableFileReader({ path: '', type, fields: [], maxRowBytes: 0 }),
    identity,
    isPersonal,
    bytes: 0,
    hold: holdNothing,
    openRows: async (needs, signal) => {
      const lines = (until: AbortSignal) => linesOf(entries(until), needs, all);
      const { path, bytes, maxRowBytes, close } = await fetchRows(spool, lines, signal);
      return { reader: tableFileReader({ path, type, fields: needs.fields ?? all, maxRowBytes }), bytes, close };
    },
    explain: async () => null,
  };
}

const PIECE_BYTES = 64 * 1024;

/** Yields the needed entries as lines of COPY's text format. Each line ends with an unused cell. */
async function* linesOf(entries: AsyncIterable<FoundEntry>, needs: RowNeeds, all: readonly number[]): AsyncGenerator<Buffer> {
  const fields = needs.fields ?? all;
  // A limit does not apply to entries that a condition may drop.
  const limit = needs.conditions.length > 0 ? null : needs.limit;
  let [text, count] = ['', 0];
  if (limit !== 0)
    for await (const entry of entries) {
      text += `${[...fields.map((field) => cellOf(entry, field)), '1'].join('\t')}\n`;
      count += 1;
      if (count === limit) break;
      if (text.length < PIECE_BYTES) continue;
      yield Buffer.from(text);
      text = '';
    }
  if (text !== '') yield Buffer.from(text);
}

const NO_VALUE = '\\N';

function cellOf({ location, isFile, size, modified }: FoundEntry, field: number): string {
  if (field === 0) return escaped(location);
  const value = field === 1 ? size : modified === null ? null : modifiedText(modified);
  return isFile && value !== null ? String(value) : NO_VALUE;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

function escaped(text: string): string {
  return text.replace(/[\\\b\t\n\v\f\r]/g, (character) => ESCAPES.get(character) ?? character);
}
