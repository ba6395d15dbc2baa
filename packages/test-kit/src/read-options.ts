import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/**
 * Returns the options of this process, as `parseArgs` does. `--help` prints the usage and ends the process; an unknown option
 * prints it with what is wrong, and ends it with code 2.
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  try {
    const values: Readonly<Record<string, unknown>> = parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values;
    if (values['help'] !== true) return parseArgs({ options }).values;
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}
