/** What a ZIP archive is; so is an Excel workbook. */
export const ZIP_ARCHIVE = 'a ZIP archive: unpack it, or read an Excel workbook with READ_EXCEL';

/** Formats that are not read: bytes at an offset, one a character. No text has them there. */
const SIGNATURES: readonly (readonly [number, string, string])[] = [
  ...Array.from('123456789', (level) => [0, `BZh${level}1AY&SY`, 'compressed with bzip2: gzip and zstd are read'] as const),
  [0, '\xfd7zXZ\0', 'compressed with xz: gzip and zstd are read'],
  [0, '\x04"M\x18', 'compressed with lz4: gzip and zstd are read'],
  [0, '\xff\x06\0\0sNaPpY', 'compressed with snappy: gzip and zstd are read'],
  [0, '\x1f\x9d', 'compressed with compress: gzip and zstd are read'],
  [0, 'PK\x03\x04', ZIP_ARCHIVE],
  [257, 'ustar', 'a tar archive: unpack it'],
  [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an old Excel workbook (.xls): save it as .xlsx'],
  [0, 'ARROW1\0\0', 'of the format Arrow or Feather: Parquet is read'],
  [0, 'SQLite format 3\0', 'an SQLite database: write its tables as CSV or Parquet'],
  [0, '%PDF-', 'a PDF document'],
];

/** Returns what a file is that is not read, with a remedy, by its first bytes; null for others. */
export function foreignFormat(head: Buffer): string | null {
  const start = head.toString('latin1');
  return SIGNATURES.find(([offset, bytes]) => start.startsWith(bytes, offset))?.[2] ?? null;
}
