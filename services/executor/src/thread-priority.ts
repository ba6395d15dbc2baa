import { readFileSync, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';

const TASKS = '/proc/self/task';
/** The niceness of threads that work for statements: a tenth of the event loop's weight. */
const NICENESS = 10;

/**
 * Lowers the priority of the engines' threads on systems with thread priorities (Linux), so that the event loop stays
 * responsive however many statements compute. Call it before the first engine is opened: an engine's threads inherit the
 * priority of the thread that opens it. Returns the number of threads with lowered priority.
 */
export async function lowerThreadPriority(): Promise<number> {
  await stat('.'); // the pool of threads is started by its first piece of work
  let count = 0;
  for (const id of threadsOfPool()) {
    try {
      setPriority(Number(id), NICENESS);
      count += 1;
    } catch {
      // The thread has ended, or the system does not permit it; the effect is only slower responses.
    }
  }
  return count;
}

function threadsOfPool(): readonly string[] {
  try {
    return readdirSync(TASKS).filter((id) => readFileSync(join(TASKS, id, 'comm'), 'utf8').startsWith('libuv-worker'));
  } catch {
    return [];
  }
}
