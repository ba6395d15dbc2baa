import { Command, Option } from '@commander-js/extra-typings';

import type { Cli } from '../cli.ts';
import { UsageError } from '../failures/cli-errors.ts';
import { readText } from '../input/read-text.ts';
import { FORMAT_NAMES, formatOf, RESULT_FORMATS } from '../queries/result-formats.ts';
import { runQuery } from '../queries/run-query.ts';

const EXAMPLES = `
Examples:
  $ svc query 'SELECT * FROM READ("file:airports.csv") LIMIT 3'
  $ svc query -f report.rql --output report.parquet
  $ echo '\\(city: string) -> UPPER(city)' | svc query --arg city=Lyon
  $ svc query 'busy_states' --format csv | head

Without --format, the extension of --output decides (.jsonl .json .csv .sqlite .parquet); without one it is hjson: one JSON value per line.
Ctrl-C cancels the query.`;

/** Names of standard output, which may be a file that others write to as well. */
const STANDARD_OUTPUT: ReadonlySet<string> = new Set(['-', '/dev/stdout']);

/** `svc query`. */
export function queryCommand(cli: Cli) {
  const { terminal } = cli;
  return new Command('query')
    .summary('run a query and print its result')
    .description('Runs a query and prints its result, or writes it to a file.')
    .argument('[query]', 'the text; without it, --file or standard input')
    .option('-f, --file <path>', 'read the query from a file (- is standard input)')
    .addOption(new Option('--format <format>', 'the format of the result').choices(FORMAT_NAMES))
    .option('-a, --arg <name=value>', 'an argument of a query that ends in a function (repeatable)', collectArgument, [])
    .option('-o, --output <path>', 'write the result to a file, which appears when it is complete (- is standard output)')
    .addHelpText('after', EXAMPLES)
    .action(async (text, { file, format: given, arg, output: path }) => {
      if (path === '') throw new UsageError('--output takes a path, found an empty text.');
      const output = path !== undefined && STANDARD_OUTPUT.has(path) ? undefined : path;
      const format = given ?? formatOf(output);
      if (!RESULT_FORMATS[format].isText && output === undefined && terminal.stdout.isTTY)
        throw new UsageError(`The format ${format} is a binary file: name it with --output, or redirect standard output.`);
      const source = await readText(terminal, { text, file }, 'a query');
      await runQuery(cli, { source, format, arguments: arg, output });
    });
}

function collectArgument(text: string, before: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--arg takes name=value, found ${JSON.stringify(text)}.`);
  return [...before, [text.slice(0, at), text.slice(at + 1)]];
}
