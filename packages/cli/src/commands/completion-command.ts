import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';

import type { Cli } from '../cli.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const EXAMPLES = `
Examples:
  $ echo 'eval "$(svc completion bash)"' >> ~/.bashrc
  $ echo 'eval "$(svc completion zsh)"' >> ~/.zshrc
  $ svc completion fish > ~/.config/fish/completions/svc.fish`;

/** `svc completion`. */
export function completionCommand() {
  return new Command('completion')
    .summary('print a script with which a shell completes commands')
    .description('Print a script with which a shell completes commands, options and stored names.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell) => {
      const { default: tab } = await import('@bomb.sh/tab');
      // Prints the script.
      tab.setup('svc', 'svc', shell);
    });
}

/** `svc complete -- words…`, called by those scripts: prints one candidate per line, then the directive for the shell. */
export function completeCommand(cli: Cli, program: CommandUnknownOpts) {
  return new Command('complete')
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words) => {
      const { completeWords } = await import('../completion/complete-words.ts');
      const { candidates, takesFiles } = await completeWords(program, cli, words);
      const lines = candidates.map(({ value, description }) => `${value}\t${description}\n`);
      cli.terminal.stdout.write(`${lines.join('')}:${takesFiles ? SHELL_COMPLETES_FILES : NO_FILES}\n`);
    });
}

/** Directives of the protocol between the scripts and this command. */
const SHELL_COMPLETES_FILES = 0;
const NO_FILES = 4;
