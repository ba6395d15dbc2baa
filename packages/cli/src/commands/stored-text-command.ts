import { Command } from '@commander-js/extra-typings';

import type { Cli } from '../cli.ts';
import { reportSource } from '../failures/report-source.ts';
import { readText } from '../input/read-text.ts';
import { printJson } from '../output/print-json.ts';
import { printTable } from '../output/print-table.ts';

/** A view or a package, as its service shows it. */
export interface StoredText {
  readonly name: string;
  readonly query: string;
  readonly createdAt: string;
  readonly updatedAt?: string | null | undefined;
}

/** The calls of one kind of stored texts. */
export interface StoredTextCalls {
  readonly list: (pattern: string | undefined) => Promise<readonly StoredText[]>;
  readonly get: (name: string) => Promise<StoredText>;
  /** Returns the type of the text. */
  readonly put: (name: string, text: string, options: { readonly replace: boolean }) => Promise<string>;
  readonly delete: (name: string) => Promise<unknown>;
}

/** Names of a kind of stored texts. */
export interface StoredTextKind {
  readonly noun: string;
  readonly description: string;
  readonly text: string;
  readonly calls: (cli: Cli) => Promise<StoredTextCalls>;
}

/** Returns the commands of a kind of stored texts: list, get, put, delete. */
export function storedTextCommand(cli: Cli, kind: StoredTextKind) {
  const { noun, description } = kind;
  return new Command(noun)
    .summary(description)
    .description(`${description[0]?.toUpperCase() ?? ''}${description.slice(1)}.`)
    .addHelpText(
      'after',
      `\nExamples:\n  $ svc ${noun} put orders -f orders.rql\n  $ svc ${noun} put orders --replace < orders.rql\n` +
        `  $ svc ${noun} list --pattern 'ord%'\n  $ svc ${noun} get orders > orders.rql\n  $ svc ${noun} delete orders`,
    )
    .addCommand(listCommand(cli, kind))
    .addCommand(getCommand(cli, kind))
    .addCommand(putCommand(cli, kind))
    .addCommand(deleteCommand(cli, kind));
}

function listCommand(cli: Cli, { noun, calls }: StoredTextKind) {
  return new Command('list')
    .description(`List ${noun}s by name.`)
    .option('--pattern <pattern>', 'only names like this: % stands for any text, _ for one character')
    .option('--json', 'print what the service answers')
    .action(async ({ pattern, json }) => {
      const rows = await (await calls(cli)).list(pattern);
      cli.terminal.stdout.write(json ? printJson(rows) : printTable(rows, { name: (row) => row.name, created: (row) => row.createdAt }));
    });
}

function getCommand(cli: Cli, { noun, calls }: StoredTextKind) {
  return new Command('get')
    .description(`Print the text of a ${noun}.`)
    .argument('<name>')
    .option('--json', 'print what the service answers')
    .action(async (name, { json }) => {
      const found = await (await calls(cli)).get(name);
      cli.terminal.stdout.write(json ? printJson(found) : `${found.query.replace(/\n$/, '')}\n`);
    });
}

function putCommand(cli: Cli, { noun, text: what, calls }: StoredTextKind) {
  return new Command('put')
    .description(`Store a ${noun}, and print its type.`)
    .argument('<name>')
    .argument('[text]', 'the text; without it, --file or standard input')
    .option('-f, --file <path>', 'read the text from a file (- is standard input)')
    .option('--replace', `replace the ${noun} if it exists`, false)
    .action(async (name, text, { file, replace }) => {
      const source = await readText(cli.terminal, { text, file }, what);
      const type = await reportSource(source, (await calls(cli)).put(name, source.text, { replace }));
      cli.terminal.stdout.write(`${type}\n`);
    });
}

function deleteCommand(cli: Cli, { noun, calls }: StoredTextKind) {
  return new Command('delete')
    .description(`Delete a ${noun}.`)
    .argument('<name>')
    .action(async (name) => {
      await (await calls(cli)).delete(name);
    });
}
