import { CommanderError } from '@commander-js/extra-typings';

import type { Terminal } from './cli.ts';
import { createProgram } from './create-program.ts';
import { InterruptedError, UsageError } from './failures/cli-errors.ts';
import { explainFailure } from './failures/explain-failure.ts';
import { styleFor } from './output/style.ts';

/** The exit codes: documented in docs/cli.md. */
const EXIT = { success: 0, failure: 1, usage: 2, interrupted: 130 } as const;

/** Runs a command line, and returns its exit code. */
export async function runCli(terminal: Terminal, args: readonly string[]): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return EXIT.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    if (error instanceof InterruptedError || terminal.signal.aborted) return EXIT.interrupted;
    terminal.stderr.write(`${explainFailure(error, styleFor(terminal.stderr))}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failure;
  }
}
