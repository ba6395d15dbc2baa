#!/usr/bin/env node
import { runCli } from './run-cli.ts';

const interrupt = new AbortController();
process.on('SIGINT', () => {
  // After the second interrupt, or a timeout, the process exits immediately.
  if (interrupt.signal.aborted) process.exit(130);
  interrupt.abort();
  setTimeout(() => process.exit(130), 5000).unref();
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe has closed it: `svc query … | head`.
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const { stdin, stdout, stderr, env, argv } = process;
process.exitCode = await runCli({ stdin, stdout, stderr, env, signal: interrupt.signal }, argv.slice(2));
