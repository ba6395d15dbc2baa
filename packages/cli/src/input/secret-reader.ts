import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import type { Terminal } from '../cli.ts';
import { InterruptedError, UsageError } from '../failures/cli-errors.ts';
import { readStandardInput } from './read-text.ts';

/** Reads secrets in sequence. They are not passed as arguments, which other users of the machine can see. */
export type SecretReader = (label: string) => Promise<string>;

/** Returns a reader that prompts without echo on a terminal, and otherwise reads one line of standard input per secret. */
export function openSecretReader(terminal: Terminal): SecretReader {
  if (terminal.stdin.isTTY) return (label) => prompt(terminal, label);
  let lines: string[] | undefined;
  return async (label) => {
    lines ??= (await readStandardInput(terminal)).toString('utf8').split(/\r?\n/);
    const secret = lines.shift() ?? '';
    if (secret === '') throw new UsageError(`Give the ${label} on a line of standard input.`);
    return secret;
  };
}

async function prompt({ stdin, stderr, signal }: Terminal, label: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  // After the prompt, so that echo is off for the input.
  stderr.write(`${label}: `);
  const interrupted = new AbortController();
  // The terminal sends no signal while lines are edited.
  lines.once('SIGINT', () => interrupted.abort());
  try {
    const secret = await lines.question('', { signal: AbortSignal.any([signal, interrupted.signal]) });
    if (secret === '') throw new UsageError(`The ${label} is empty.`);
    return secret;
  } catch (error) {
    throw interrupted.signal.aborted ? new InterruptedError() : error;
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
