import { types } from 'node:util';

import { requestInContext } from '../http/contain-faults.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { StartError } from './start-error.ts';
import type { RunningService } from './start-service.ts';

/** The parts of Node's `process` that starting and stopping needs. */
export type HostProcess = Pick<NodeJS.Process, 'on' | 'exit'> & { readonly stderr: Pick<NodeJS.WriteStream, 'write'> };

/** Hooks of a forced exit, on the second stop signal. */
export interface RunServiceOptions {
  /** Called just before a forced exit, to interrupt work that would keep the process alive. Must not wait. */
  readonly beforeForcedExit?: () => void;
}

/**
 * Runs a service's process, for its `main.ts`. Failures to start are written to standard error, one line each, exit code 1.
 * SIGTERM or SIGINT stops it in phases, exit code 0 (1 if a phase did not end in time); a second signal ends it immediately,
 * exit code 1.
 *
 * An uncaught exception is the failure of the request in whose async context it was thrown: a 500 and one log line. Outside
 * of requests it ends the process, exit code 1.
 */
export async function runService(
  host: HostProcess,
  start: () => Promise<RunningService>,
  { beforeForcedExit }: RunServiceOptions = {},
): Promise<void> {
  const starting = start();
  let signals = 0;
  const onSignal = (): void => {
    signals += 1;
    if (signals === 1) {
      void stopAndExit(host, starting);
      return;
    }
    beforeForcedExit?.();
    host.exit(1);
  };
  host.on('SIGTERM', onSignal);
  host.on('SIGINT', onSignal);
  try {
    const { logger } = await starting;
    host.on('uncaughtException', (thrown, origin) => {
      const request = requestInContext();
      if (request !== undefined) return request.fail(thrown);
      logger.fatal({ err: thrown, origin }, 'the service ends: nobody caught an exception');
      beforeForcedExit?.();
      return host.exit(1);
    });
  } catch (error) {
    host.stderr.write(`${explainStartFailure(error)}\n`);
    host.exit(1);
  }
}

async function stopAndExit(host: HostProcess, starting: Promise<RunningService>): Promise<void> {
  try {
    const service = await starting;
    host.exit((await service.stop()) ? 0 : 1);
  } catch {
    // A start that failed is reported by runService.
    host.exit(1);
  }
}

/** Formats a start failure for the operator. An unexpected error is printed with its stack. */
function explainStartFailure(error: unknown): string {
  if (error instanceof SettingsError || error instanceof StartError) return error.message;
  return types.isNativeError(error) ? (error.stack ?? error.message) : String(error);
}
