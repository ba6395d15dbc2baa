import type { CsvDialect } from './csv/csv-dialect.ts';
import { readBytes, type Compression } from './read-bytes.ts';

/** A record of a CSV file whose line is sought. */
export interface RecordSearch {
  readonly path: string;
  readonly compression: Compression | null;
  readonly dialect: Pick<CsvDialect, 'quote' | 'escape' | 'delimiter' | 'skip'>;
  /** Counted from 1, including a header. */
  readonly record: number;
  /** True if empty lines are not records. */
  readonly isBlankSkipped: boolean;
  readonly signal: AbortSignal;
}

const [NEWLINE, RETURN] = [0x0a, 0x0d];

/** The line, from 1, on which the n-th record of a file of text begins: a quoted cell may hold line breaks. */
export async function lineOfRecord({ path, compression, dialect, record, isBlankSkipped, signal }: RecordSearch): Promise<number> {
  const [quote, escape] = [byteOf(dialect.quote), byteOf(dialect.escape)];
  const delimiter = byteOf(dialect.delimiter);
  let [line, seen, begin] = [1, 0, 1];
  let [isQuoted, isEscaped, isBlank, atCellStart] = [false, false, true, true];
  for await (const chunk of readBytes(path, compression, signal)) {
    for (const byte of chunk) {
      const wasEscaped = isEscaped;
      isEscaped = false;
      if (byte === NEWLINE) {
        line += 1;
        if (isQuoted) continue;
        const isRecord = !(isBlank && isBlankSkipped) && begin > dialect.skip;
        if (isRecord && (seen += 1) === record) return begin;
        [begin, isBlank, atCellStart] = [line, true, true];
        continue;
      }
      if (byte === RETURN) continue;
      isBlank = false;
      if (wasEscaped) continue;
      if (isQuoted && byte === escape && escape !== quote) isEscaped = true;
      else if (byte === quote && (isQuoted || atCellStart || escape === quote)) isQuoted = !isQuoted;
      atCellStart = byte === delimiter;
    }
  }
  return begin;
}

function byteOf(character: string): number {
  return character === '' ? -1 : (Buffer.from(character).at(-1) ?? -1);
}
