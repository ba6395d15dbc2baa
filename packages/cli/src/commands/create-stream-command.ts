import { Command, Option } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { UsageError } from '../failures/cli-errors.ts';
import { reportSource } from '../failures/report-source.ts';
import { wholeNumber } from '../input/parse-options.ts';
import { readText } from '../input/read-text.ts';
import { readSecurity, withBrokerOptions } from './broker-options.ts';
import { collectIndex, parseFields } from './index-option.ts';

/** `svc stream create`. */
export function createStreamCommand({ terminal, services }: Cli) {
  const command = new Command('create')
    .alias('put')
    .description('Create a stream: its table is there when the command ends.')
    .argument('<name>', 'the name of the stream and of its table')
    .argument('[transform]', 'a function of a message; without it, --file or standard input')
    .requiredOption('--host <host>', 'the host of a broker')
    .requiredOption('--topic <topic>', 'the topic')
    .option('-f, --file <path>', 'read the transform from a file (- is standard input)')
    .option('--interval <millis>', 'how often the topic is polled', wholeNumber('--interval', { min: 1, max: 86_400_000 }), 1000)
    .option('-i, --index <fields>', 'index a field, or several with commas between (repeatable)', collectIndex, [])
    .option('--location <url>', 'where the table is stored; without it, the service keeps the rows')
    .addOption(new Option('--mode <mode>', 'keep every row, or the latest of a key; with --key-fields, upsert').choices(MODES))
    .option('--key-fields <fields>', 'keep one row, the latest, for each value of these fields, with commas between', (text) =>
      parseFields('--key-fields', text),
    )
    .option('--keep <interval>', 'delete rows after this time, in ISO 8601: P30D, PT12H')
    .option('--keep-from <field>', 'the timestamp from which --keep is counted')
    .option('--evolve', 'add nullable fields that the table lacks', false);
  return withBrokerOptions(command).action(async (name, text, options) => {
    const { host, port, topic, file, interval: intervalMillis, index: indexes, location = null, mode, keyFields, evolve } = options;
    const retention = retentionOf(options);
    const security = await readSecurity(terminal, options, { text, file });
    const source = await readText(terminal, { text, file }, 'a transform');
    const { stream } = await services();
    const body = {
      ...{ host, port, topic, transform: source.text, intervalMillis, indexes, location, security, retention, evolve },
      mode: mode ?? (keyFields === undefined ? 'append' : 'upsert'),
      ...(keyFields !== undefined && { keyFields }),
    };
    await reportSource(source, unwrap(stream.POST('/stream/{name}', { params: { path: { name } }, body })));
  });
}

const MODES = ['append', 'upsert'] as const;

function retentionOf({ keep, keepFrom }: { readonly keep?: string; readonly keepFrom?: string }) {
  if (keep === undefined && keepFrom === undefined) return null;
  if (keep === undefined || keepFrom === undefined) throw new UsageError('--keep and --keep-from belong together.');
  return { interval: keep, field: keepFrom };
}
