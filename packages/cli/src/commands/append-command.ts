import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';

import { Command, Option } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli, Terminal } from '../cli.ts';
import { CommandError, UsageError } from '../failures/cli-errors.ts';

const MEDIA_TYPES = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const;
type RowFormat = keyof typeof MEDIA_TYPES;
const FORMATS = Object.keys(MEDIA_TYPES) as RowFormat[]; // the keys of the table above

const EXAMPLES = `
Examples:
  $ svc table append orders -f orders.csv
  $ svc table append orders -f orders.jsonl.gz
  $ svc query 'new_orders' | svc table append orders

A file is read by its extension (.csv .jsonl .ndjson .hjson, with .gz or .zst behind); standard input holds JSON lines, unless --format says csv.`;

/** `svc table append`. */
export function appendCommand(cli: Cli) {
  return new Command('append')
    .description('Append rows to a table: all of them, or none.')
    .argument('<name>')
    .option('-f, --file <path>', 'read the rows from a file (- is standard input)', '-')
    .addOption(new Option('--format <format>', 'the format of the rows').choices(FORMATS))
    .option('--idempotency-key <key>', 'rows that are sent again under their key within a day are not stored again')
    .addHelpText('after', EXAMPLES)
    .action(async (name, { file, format, idempotencyKey }) => {
      const rows = await openRows(cli.terminal, file, format);
      // Data read from a stream cannot be sent again.
      const { executor } = await cli.services({ resend: false });
      const { rows: stored } = await unwrap(
        executor.POST('/tables/{name}/rows', {
          params: { path: { name }, header: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey } },
          headers: rows.headers,
          // Sent while it is read; the client's type is a string.
          body: rows.body as unknown as string,
          bodySerializer: (body: unknown) => body,
          duplex: 'half',
        }),
      );
      cli.terminal.stdout.write(`${stored} ${stored === 1 ? 'row' : 'rows'} stored\n`);
    });
}

interface Rows {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream;
}

async function openRows({ stdin }: Terminal, file: string, given: RowFormat | undefined): Promise<Rows> {
  const { format, encoding } = describeFile(file, given);
  const headers = { 'Content-Type': MEDIA_TYPES[format], ...(encoding !== undefined && { 'Content-Encoding': encoding }) };
  if (file !== '-') return { headers, body: toWeb(await openFile(file)) };
  if (stdin.isTTY) throw new UsageError('Give the rows by --file, or on standard input.');
  return { headers, body: toWeb(stdin) };
}

/** Both of these declare the same class. */
function toWeb(stream: Readable): ReadableStream {
  return Readable.toWeb(stream) as ReadableStream;
}

/** Extensions of files with rows; a name without one is that of JSON lines. */
const EXTENSIONS: ReadonlyMap<string, RowFormat> = new Map([
  ['csv', 'csv'],
  ...['jsonl', 'ndjson', 'hjson', 'json', 'txt'].map((extension) => [extension, 'jsonl'] as const),
]);

function describeFile(file: string, given: RowFormat | undefined): { readonly format: RowFormat; readonly encoding: string | undefined } {
  const [, extension = 'jsonl', compression] = /\.([a-z]+?)(\.gz|\.zst)?$/i.exec(file) ?? [];
  const format = given ?? EXTENSIONS.get(extension.toLowerCase());
  if (format === undefined)
    throw new UsageError(
      `Rows are CSV or JSON lines, and ${file} is neither by its extension: --format takes one of ${FORMATS.join(', ')}.`,
    );
  return {
    format,
    encoding: compression === undefined ? undefined : compression.toLowerCase() === '.gz' ? 'gzip' : 'zstd',
  };
}

async function openFile(file: string): Promise<Readable> {
  try {
    if ((await stat(file)).isDirectory()) throw new CommandError(`${file} is a directory.`);
    return createReadStream(file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`, { cause: error });
  }
}
