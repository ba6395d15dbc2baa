import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';

import type { Terminal } from '../cli.ts';
import { CommandError, UsageError } from '../failures/cli-errors.ts';
import type { SourceText } from '../failures/draw-problem.ts';

/** Sources of a text. */
export interface TextArguments {
  /** The text itself. */
  readonly text?: string | undefined;
  readonly file?: string | undefined;
}

/** Reads a text from the command line, a file, or standard input (also as the file `-`). `what` names it in messages: "a query". */
export async function readText(terminal: Terminal, { text, file }: TextArguments, what: string): Promise<SourceText> {
  if (text !== undefined && file !== undefined) throw new UsageError(`Give ${what} either as an argument or by --file, not both.`);
  if (text !== undefined) return { name: '<argument>', text };
  if (file !== undefined && file !== '-') return { name: file, text: decode(await readNamed(file), file) };
  if (file === undefined && terminal.stdin.isTTY)
    throw new UsageError(`Give ${what} as an argument in quotes, by --file, or on standard input.`);
  return { name: '<stdin>', text: decode(await readStandardInput(terminal), 'standard input') };
}

/** Reads standard input to its end. */
export async function readStandardInput({ stdin, signal }: Terminal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of addAbortSignal(signal, stdin) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readNamed(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`, { cause: error });
  }
}

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CommandError(`${name} is not UTF-8 text.`, { cause: error });
  }
}
