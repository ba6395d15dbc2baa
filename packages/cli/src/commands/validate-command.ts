import { Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { reportSource } from '../failures/report-source.ts';
import { readText } from '../input/read-text.ts';
import { PLAIN_TEXT } from './plain-text.ts';

/** `svc validate`. */
export function validateCommand({ terminal, services }: Cli) {
  return new Command('validate')
    .summary('check a query and print the type of its result')
    .description('Checks a query without running it, and prints the type of its result.')
    .argument('[query]', 'the text; without it, --file or standard input')
    .option('-f, --file <path>', 'read the query from a file (- is standard input)')
    .addHelpText('after', '\nExamples:\n  $ svc validate \'SELECT name FROM READ("file:airports.csv")\'\n  $ svc validate -f report.rql')
    .action(async (text, { file }) => {
      const source = await readText(terminal, { text, file }, 'a query');
      const { executor } = await services();
      const { type } = await reportSource(source, unwrap(executor.POST('/query-validate', { ...PLAIN_TEXT, body: source.text })));
      terminal.stdout.write(`${type}\n`);
    });
}
