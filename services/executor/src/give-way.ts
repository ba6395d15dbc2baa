import { readFileSync, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';

const TASKS = '/proc/self/task';
/** The niceness of threads that work for statements: a tenth of the event loop's weight. */
const NICENESS = 10;

/**
 * Where threads have a priority of their own (Linux), those of the engines give way to the event loop: however many statements
 * compute, it answers. Before the first engine is opened: an engine's threads have the priority of the thread that opened it.
 * Answers how many threads give way now.
 */
export async function giveWayToEventLoop(): Promise<number> {
  await stat('.'); // the pool of threads is started by its first piece of work
  let count = 0;
  for (const id of threadsOfPool()) {
    try {
      setPriority(Number(id), NICENESS);
      count += 1;
    } catch {
      // It has ended, or the system does not allow it: all the same, only slower to answer.
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
