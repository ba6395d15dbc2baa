import { Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { UsageError } from '../failures/cli-errors.ts';
import { reportSource } from '../failures/report-source.ts';
import { wholeNumber } from '../input/parse-options.ts';
import { readText } from '../input/read-text.ts';
import { printTable } from '../output/print-table.ts';
import { readSecurity, withBrokerOptions } from './broker-options.ts';

/** `svc stream validate`. */
export function validateStreamCommand({ terminal, services }: Cli) {
  const command = new Command('validate')
    .description('Check a transform, and print the type of the table that it would make; with --sample, the rows of the latest messages.')
    .argument('[transform]', 'the text; without it, --file or standard input')
    .option('-f, --file <path>', 'read the transform from a file (- is standard input)')
    .option('--host <host>', 'the host of a broker, for --sample')
    .option('--topic <topic>', 'the topic, for --sample')
    .option('--sample <count>', 'transform so many of the latest messages', wholeNumber('--sample', { min: 1, max: 100 }));
  return withBrokerOptions(command).action(async (text, options) => {
    const { file, host, port, topic, sample: count } = options;
    const security = await readSecurity(terminal, options, { text, file });
    const source = await readText(terminal, { text, file }, 'a transform');
    const { stream } = await services();
    const broker = brokerOf({ host, port, topic, sample: count });
    const body = { transform: source.text, security, ...broker };
    const { type, sample } = await reportSource(source, unwrap(stream.POST('/stream-validate', { body })));
    terminal.stdout.write(`${type}\n`);
    if (sample !== undefined) terminal.stdout.write(`\n${printTable(sample, SAMPLE_COLUMNS)}`);
  });
}

interface SampleOptions {
  readonly host?: string | undefined;
  readonly port: number;
  readonly topic?: string | undefined;
  readonly sample?: number | undefined;
}

function brokerOf({ host, port, topic, sample }: SampleOptions) {
  if (host === undefined && topic === undefined && sample === undefined) return {};
  if (host === undefined || topic === undefined || sample === undefined)
    throw new UsageError('--sample, --host and --topic belong together.');
  return { host, port, topic, sample };
}

interface Sampled {
  readonly partition: number;
  readonly offset: number;
  readonly row?: unknown;
  readonly error: { readonly message: string } | null;
}

const SAMPLE_COLUMNS = {
  partition: ({ partition }: Sampled) => partition,
  offset: ({ offset }: Sampled) => offset,
  row: ({ row, error }: Sampled) => (error === null ? JSON.stringify(row ?? null) : `error: ${error.message}`),
};
