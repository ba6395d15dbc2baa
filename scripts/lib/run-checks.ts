import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findVersitygw } from '@svc/test-kit';

import { COMPILE_CACHE, PROJECT } from './project.js';

/** Result of a check. */
interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/** Checks of the sources: each counts as one. */
const STATIC_CHECKS = ['typecheck', 'lint', 'format:check', 'rooms', 'unused'] as const;
/** Limit for all checks together. A longer run hangs. */
const TIMEOUT_MS = 45 * 60_000;

const giveUp = AbortSignal.timeout(TIMEOUT_MS);
// Built in parallel to the checks, once: on failure, the tests that need it report what is missing.
void findVersitygw().catch(() => undefined);
const outcomes = (await Promise.all([...STATIC_CHECKS.map(runStaticCheck), buildAndTest()])).flat();
const sum = (part: keyof Outcome): number => outcomes.reduce((total, outcome) => total + outcome[part], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

/** Tests write below the folders that the build makes, so it comes first. The other checks run while tests wait. */
async function buildAndTest(): Promise<readonly Outcome[]> {
  const build = await runStaticCheck('build');
  // Stacks of the tests serve the console of this build instead of building one each.
  const console = join(PROJECT, 'packages', 'console', 'dist');
  return [build, await runTests(build.failed === 0 ? { SVC_CONSOLE_DIR: console } : {})];
}

async function runStaticCheck(name: string): Promise<Outcome> {
  const { code, output } = await runToEnd('pnpm', ['run', '--silent', name], 'collect');
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (code !== 0) console.log(output);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs all tests with Jest. A skipped test counts as failed. */
async function runTests(env: Readonly<Record<string, string>>): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-tests-'));
  const report = join(folder, 'report.json');
  try {
    const { code } = await runToEnd(
      'pnpm',
      ['run', '--silent', 'jest', '--json', `--outputFile=${report}`, ...process.argv.slice(2)],
      'show',
      env,
    );
    const found = JSON.parse(await readFile(report, 'utf8')) as Readonly<Record<string, number>>;
    const failed =
      (found['numFailedTests'] ?? 0) +
      (found['numPendingTests'] ?? 0) +
      (found['numTodoTests'] ?? 0) +
      (found['numRuntimeErrorTestSuites'] ?? 0);
    return { passed: found['numPassedTests'] ?? 0, failed: failed === 0 && code !== 0 ? 1 : failed };
  } catch (error) {
    console.log(`The tests did not run to their end: ${String(error)}`);
    return { passed: 0, failed: 1 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a command of the project; its output is shown (except Jest's JSON on standard output) or collected. */
function runToEnd(
  command: string,
  args: readonly string[],
  mode: 'show' | 'collect',
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: PROJECT,
      signal: giveUp,
      stdio: ['ignore', mode === 'show' ? 'ignore' : 'pipe', mode === 'show' ? 'inherit' : 'pipe'],
      env: {
        ...process.env,
        PATH: `${join(PROJECT, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
        // Tests start services many times.
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        TURBO_TELEMETRY_DISABLED: '1',
        // Compiler and linter are short programs in Go: collecting their garbage took up to a third of their processor time.
        ...(mode === 'collect' && { GOGC: '400' }),
        ...env,
      },
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
