#!/usr/bin/env node
import { runCli } from './run-cli.ts';

const interrupt = new AbortController();
process.on('SIGINT', () => {
  // The second time, or after a while, nothing is waited for any more.
  if (interrupt.signal.aborted) process.exit(130);
  interrupt.abort();
  setTimeout(() => process.exit(130), 5000).unref();
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe has had enough: `svc query … | head`.
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const { stdin, stdout, stderr, env, argv } = process;
process.exitCode = await runCli({ stdin, stdout, stderr, env, signal: interrupt.signal }, argv.slice(2));
