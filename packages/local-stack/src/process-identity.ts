import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Identity of a process, which distinguishes it from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, in the system's format. */
  readonly began: string;
}

/** Undefined if the process does not run; a zombie does not run. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const began = HAS_PROC ? readStartFromProc(pid) : askPs(pid, 'lstart');
  return began === undefined ? undefined : { pid, began };
}

/** The command line of a running process. */
export function commandLineOf(pid: number): string | undefined {
  return HAS_PROC ? readProc(pid, 'cmdline')?.replaceAll('\u0000', ' ') : askPs(pid, 'args');
}

const HAS_PROC = existsSync('/proc/self/stat');

/** `pid (name) state …`: the name may hold anything, so fields are counted from its last parenthesis; the start is field 22. */
function readStartFromProc(pid: number): string | undefined {
  const fields = readProc(pid, 'stat')
    ?.replace(/^.*\)\s/s, '')
    .split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function readProc(pid: number, file: 'stat' | 'cmdline'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process ended before the file was opened, or while it was read.
    return undefined;
  }
}

function askPs(pid: number, column: 'lstart' | 'args'): string | undefined {
  const answer = spawnSync('ps', ['-p', String(pid), '-o', `${column}=`], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() : undefined;
}
