import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';

import { CommandError } from '../failures/cli-errors.ts';

/** Destination of a result. */
export interface Output {
  readonly stream: NodeJS.WritableStream;
  /** True if the stream is closed after the result. */
  readonly isOwn: boolean;
  readonly isTerminal: boolean;
  readonly complete: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** Opens a file, or standard output by default. A file gets its name when it is complete. */
export async function openOutput(path: string | undefined, stdout: NodeJS.WriteStream): Promise<Output> {
  const nothing = async (): Promise<void> => {};
  if (path === undefined) return { stream: stdout, isOwn: false, isTerminal: stdout.isTTY, complete: nothing, discard: nothing };
  if (await isSpecial(path)) return { stream: await open(path, path), isOwn: true, isTerminal: false, complete: nothing, discard: nothing };
  const target = await followLinks(path);
  const unfinished = `${target}.${process.pid}.part`;
  return {
    stream: await open(unfinished, path),
    isOwn: true,
    isTerminal: false,
    complete: () => rename(unfinished, target),
    discard: () => rm(unfinished, { force: true }),
  };
}

/** Returns whether a path is a pipe or a device, which is written directly. */
async function isSpecial(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Returns the file behind a symbolic link, which renaming would replace by a file. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

async function open(path: string, shown: string): Promise<NodeJS.WritableStream> {
  const stream = createWriteStream(path);
  return new Promise((resolve, reject) => {
    stream.once('open', () => resolve(stream));
    stream.once('error', (error: NodeJS.ErrnoException) =>
      reject(new CommandError(`${shown} cannot be written: ${error.code ?? error.message}.`, { cause: error })),
    );
  });
}
