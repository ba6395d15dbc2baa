import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { identifyProcess } from '../process-identity.ts';
import { withTemporaryDirectory } from '../testing/temporary-directory.ts';
import { lockDataDir } from './data-dir-lock.ts';

test('a directory that a running process has is refused in one line that names the process', () =>
  withTemporaryDirectory(async (directory) => {
    await lockDataDir(directory);
    await expect(lockDataDir(directory)).rejects.toThrow(
      `${directory} is in use by process ${process.pid}: stop that one first, or set SVC_DATA_DIR to another directory.`,
    );
  }));

test('a directory that was given back can be taken again, and nothing is left in it', () =>
  withTemporaryDirectory(async (directory) => {
    const lock = await lockDataDir(directory);
    await lock.release();
    expect(await readdir(directory)).toEqual([]);
    expect((await lockDataDir(directory)).wasLeftBehind).toBe(false);
  }));

test('a directory whose process was killed can be taken', () =>
  withTemporaryDirectory(async (directory) => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    await writeFile(join(directory, 'lock'), JSON.stringify(identifyProcess(child.pid ?? 0)));
    await expect(lockDataDir(directory)).rejects.toThrow(`process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await lockDataDir(directory)).wasLeftBehind).toBe(true);
  }));

test('a process that got the number of a dead one does not hold its directory', () =>
  withTemporaryDirectory(async (directory) => {
    await writeFile(join(directory, 'lock'), JSON.stringify({ pid: process.pid, began: 'long ago' }));
    expect((await lockDataDir(directory)).wasLeftBehind).toBe(true);
  }));

test.each(['', 'garbage', 'null', '{}', '[]', '{"pid":"x"}'])('a lock that reads %j holds nothing', (text) =>
  withTemporaryDirectory(async (directory) => {
    await writeFile(join(directory, 'lock'), text);
    expect((await lockDataDir(directory)).wasLeftBehind).toBe(true);
  }),
);

test('of several that take a stale lock at once, exactly one gets it, time after time', () =>
  withTemporaryDirectory(async (directory) => {
    for (let round = 0; round < 30; round += 1) {
      await writeFile(join(directory, 'lock'), `stale ${round}`);
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(directory)));
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', ...Array.from({ length: 7 }, () => 'rejected')]);
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
      expect(reasons.filter((reason) => !reason.includes('is in use by process'))).toEqual([]);
      expect(await readdir(directory)).toEqual(['lock']);
    }
  }));

test('a lock that another process is removing is waited for', () =>
  withTemporaryDirectory(async (directory) => {
    const lock = join(directory, 'lock');
    await writeFile(lock, 'stale');
    const claim = `${lock}.${createHash('sha256').update('stale').digest('hex').slice(0, 16)}`;
    await link(lock, claim);
    const waiting = lockDataDir(directory);
    await rm(claim); // as its age does in ten seconds
    expect((await waiting).wasLeftBehind).toBe(true);
  }));
