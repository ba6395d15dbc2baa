import type { CommandUnknownOpts } from '@commander-js/extra-typings';

import type { Cli } from '../cli.ts';
import { namesOf, type Candidate } from './stored-names.ts';

/** Completion of the last of some words. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** True if the shell completes file names. */
  readonly takesFiles: boolean;
}

const NOTHING: Completion = { candidates: [], takesFiles: false };
/** Placeholders of options whose value is a file. */
const FILE = /<path>/;

/** Completes the last of the words after `svc`: commands, options, their values, and names known to the services. */
export async function completeWords(program: CommandUnknownOpts, cli: Cli, words: readonly string[]): Promise<Completion> {
  const last = words.at(-1) ?? '';
  const { command, before, position } = walk(program, words.slice(0, -1));
  const option = before === undefined ? undefined : findOption(program, command, before);
  if (option !== undefined && (option.required || option.optional)) {
    if (FILE.test(option.flags)) return { candidates: [], takesFiles: true };
    if (option.long === '--profile') return filtered(await namesOf(cli, 'profile'), last);
    return filtered((option.argChoices ?? []).map(named), last);
  }
  if (last.startsWith('-')) return filtered(optionsOf(program, command), last);
  if (command.commands.length > 0) return filtered(subcommandsOf(command), last);
  const argument = command.registeredArguments[position];
  if (argument === undefined) return NOTHING;
  if (argument.argChoices !== undefined) return filtered(argument.argChoices.map(named), last);
  const noun = command.parent?.name() === 'put' ? '' : (command.parent?.name() ?? '');
  const isNew = ['put', 'create', 'set'].includes(command.name());
  return isNew ? NOTHING : filtered(await namesOf(cli, noun), last);
}

interface Walked {
  readonly command: CommandUnknownOpts;
  /** The word before the last one, if it may be an option with a value. */
  readonly before: string | undefined;
  /** Number of arguments before the last word. */
  readonly position: number;
}

/** Follows words down to the command that they name. */
function walk(program: CommandUnknownOpts, words: readonly string[]): Walked {
  let command = program;
  let position = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word.startsWith('-')) {
      const option = findOption(program, command, word);
      if (option !== undefined && (option.required || option.optional)) index += 1;
      continue;
    }
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
    if (next === undefined) position += 1;
    else {
      command = next;
      position = 0;
    }
  }
  return { command, before: words.at(-1), position };
}

function findOption(program: CommandUnknownOpts, command: CommandUnknownOpts, word: string) {
  return [...command.options, ...program.options].find(({ short, long }) => word === short || word === long);
}

function optionsOf(program: CommandUnknownOpts, command: CommandUnknownOpts): readonly Candidate[] {
  const options = [...new Set([...command.options, ...program.options])].filter(({ hidden, long }) => !hidden && long !== '--version');
  return [
    ...options.map(({ long, short, description }) => ({ value: long ?? short ?? '', description })),
    { value: '--help', description: 'display help for command' },
  ];
}

function subcommandsOf(command: CommandUnknownOpts): readonly Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ value: child.name(), description: child.summary() || child.description() }));
}

function named(value: string): Candidate {
  return { value, description: '' };
}

function filtered(candidates: readonly Candidate[], begin: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(begin)), takesFiles: false };
}
