import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { PinoPretty } from 'pino-pretty';

export type { Logger };

/** From most verbose to off. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** A level of the log. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Options of a logger. Without `destination` it writes to standard output. */
export interface LoggerOptions {
  readonly service: string;
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
}

/** Creates a logger that writes one JSON object per line with times in UTC, or readable lines on a terminal. */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination ?? (process.stdout.isTTY ? readableLines() : pino.destination({ fd: 1, sync: true })));
}

function readableLines(): DestinationStream {
  return PinoPretty({ sync: true, colorize: true, ignore: 'pid,hostname', translateTime: 'UTC:HH:MM:ss.l' });
}
