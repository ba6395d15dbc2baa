import type { ReadFile } from '@svc/query-engine';
import { type CsvDialect, readCsvHeader, ReadFailure, type SniffOptions, uniqueNames } from '@svc/text-formats';

interface FirstHeader {
  readonly names: readonly string[];
  readonly dialect: CsvDialect;
  readonly options: Pick<SniffOptions, 'compression' | 'signal'>;
}

const HEADERS_AT_ONCE = 16;

/**
 * Checks that the other files have the header of the first: columns are read by position, and under other names the values
 * would be wrong. Case and blanks are ignored. Fails with a ReadFailure.
 */
export async function checkCsvHeaders([first, ...rest]: readonly ReadFile[], { names, dialect, options }: FirstHeader): Promise<void> {
  for (let i = 0; i < rest.length; i += HEADERS_AT_ONCE) {
    const some = rest.slice(i, i + HEADERS_AT_ONCE);
    const headers = await Promise.all(some.map(async (file) => readCsvHeader(file.path, dialect, options)));
    headers.forEach((header, n) => {
      if (header === null) return;
      const found = uniqueNames(header);
      const at = found.findIndex((name, column) => folded(name) !== folded(names[column] ?? ''));
      if (at < 0 && found.length === names.length) return;
      const [there, here] = [some[n]?.location ?? '', first?.location ?? ''];
      const reason =
        found.length === 0
          ? `the line is empty in ${there}, and the header in ${here}`
          : found.length === names.length
            ? `column ${at + 1} is ${found[at] ?? ''} in ${there}, and ${names[at] ?? ''} in ${here}`
            : `the header has ${found.length} columns in ${there}, and ${names.length} in ${here}`;
      throw new ReadFailure('csv', `line ${dialect.skip + 1}: ${reason}: files that are read as one must have the same`);
    });
  }
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}
