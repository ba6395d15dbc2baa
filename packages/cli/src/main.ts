#!/usr/bin/env node
import { writeSync } from 'node:fs';

import { runCli } from './run-cli.ts';

const interrupt = new AbortController();
// `timeout` and a terminal that closes stop it as Ctrl-C does: a query is cancelled, and no unfinished file stays.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    // After the second interrupt, or a timeout, the process exits immediately.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
    setTimeout(() => process.exit(130), 5000).unref();
  });
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe has closed it: `svc query … | head`.
  if (error.code === 'EPIPE') process.exit(0);
  writeSync(process.stderr.fd, `error: Standard output cannot be written: ${error.code ?? error.message}.\n`);
  process.exit(1);
});

const { stdin, stdout, stderr, env, argv } = process;
process.exitCode = await runCli({ stdin, stdout, stderr, env, signal: interrupt.signal }, argv.slice(2));
