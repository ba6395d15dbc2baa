import type { Terminal } from '../cli.ts';

/** A line on the terminal that shows how far something is. */
export interface Progress {
  readonly add: (bytes: number) => void;
  /** Removes the line. */
  readonly stop: () => void;
}

const INTERVAL_MS = 200;
/** Shorter operations show no progress. */
const FIRST_AFTER_MS = 600;
const CLEAR = '\r\u001B[K';

/** Shows the time and the bytes received, if standard error is a terminal. */
export function showProgress({ stderr }: Pick<Terminal, 'stderr'>): Progress {
  if (!stderr.isTTY) return { add: () => {}, stop: () => {} };
  const begin = performance.now();
  let received = 0;
  let isShown = false;
  const timer = setInterval(() => {
    const millis = performance.now() - begin;
    if (millis < FIRST_AFTER_MS) return;
    isShown = true;
    const size = received === 0 ? '' : `, ${printSize(received)}`;
    stderr.write(`${CLEAR}running ${(millis / 1000).toFixed(1)} s${size}  (Ctrl-C cancels)`);
  }, INTERVAL_MS);
  timer.unref();
  return {
    add: (bytes) => {
      received += bytes;
    },
    stop: () => {
      clearInterval(timer);
      if (isShown) stderr.write(CLEAR);
      isShown = false;
    },
  };
}

/** Formats a number of bytes. */
function printSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit] ?? ''}`;
}
