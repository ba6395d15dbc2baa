import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readOptions } from '@svc/test-kit';

import { PROJECT } from '../project.js';
import { EQUIVALENT_MUTANTS } from './equivalent-mutants.ts';
import { type Change, findChanges } from './find-mutants.ts';
import { instrument } from './instrument.ts';
import type { RunRequest, WorkerMessage } from './mutation-messages.ts';

const MUTATED = ['packages/query-language/src/check/**/*.ts', 'packages/query-engine/src/{analysis,rewrite,lowering}/**/*.ts'];
const TESTS = [
  'packages/query-engine/src/cases/cases.test.ts',
  'packages/query-engine/src/random-programs.test.ts',
  'packages/query-engine/src/{analysis,rewrite,lowering}/**/*.test.ts',
  'packages/query-language/src/{check,functions,plan}/**/*.test.ts',
  'packages/query-runtime/src/{reading,reading-csv-json,reading-decoded,documentation,push-down,examples}.test.ts',
];
/** Timeout: a mutant that makes a test this much slower than all of them together counts as hanging. */
const PATIENCE_MS = 20_000;
const START_MS = 900_000;
/** One fault of a random program is enough; further ones would be shrunk, too. */
const TEST_ENV = { SVC_RANDOM_FAULTS: '1' };

interface Mutant extends Change {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly before: string;
  /** True if it is known to be equivalent to the code. */
  readonly isEquivalent: boolean;
}

const USAGE = `npm run mutate -- [--sample 200] [--seed 1] [--only check/select,group.ts] [--kills] [--unreached] [--again FILE]

Changes the language and the engine in one place at a time, and counts the changes that tests notice.
--only       files whose paths contain one of these
--kills      prints the test that noticed each change
--unreached  lists changes that no test reaches
--again      runs the survivors in the output of an earlier run`;
const values = readOptions(USAGE, {
  sample: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
  kills: { type: 'boolean', default: false },
  unreached: { type: 'boolean', default: false },
  again: { type: 'string', default: '' },
});
const isWanted = (file: string): boolean => values.only.split(',').some((part) => file.includes(part));
const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
const GOLDEN = '/cases/cases.test.ts';
const planFile = join(folder, 'plan.json');
try {
  const mutants = await prepare();
  const worker = await startWorker(-1);
  const { tests, atLoad, broken } = worker.ready;
  if (broken.length > 0) say(`Left out, since they fail without a mutant:\n${broken.join('\n')}`);
  const covering = new Map<number, number[]>();
  for (const [i, test] of tests.entries())
    if (!broken.includes(test.name)) for (const id of test.mutants) covering.set(id, [...(covering.get(id) ?? []), i]);
  const survived = values.again === '' ? null : await survivorsOf(values.again);
  const wanted = mutants.filter((mutant) => survived?.has(withoutLine(mutant)) !== false);
  const sample = survived === null ? choose(wanted, Number(values.sample), Number(values.seed)) : wanted;
  say(
    `${mutants.length} mutants in ${Object.keys(Object.groupBy(mutants, ({ file }) => file)).length} files, ${tests.length} tests; a sample of ${sample.length}, seed ${values.seed}`,
  );
  const loaded = new Set(atLoad);
  if (values.unreached)
    for (const mutant of mutants) if (!covering.has(mutant.id) && !loaded.has(mutant.id)) say(`unreached ${described(mutant)}`);
  const idsOf = (file: string): readonly number[] => mutants.filter((one) => one.file === file).map(({ id }) => id);
  await runSample(sample, { worker, tests, covering, broken: new Set(broken), atLoad: loaded, idsOf });
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Instruments the selected sources and writes the worker's input. */
async function prepare(): Promise<readonly Mutant[]> {
  const mutants: Mutant[] = [];
  const stale = new Set(EQUIVALENT_MUTANTS);
  const sources: Record<string, string> = {};
  const isTest = (file: string): boolean => file.endsWith('.test.ts') || file.includes('/testing/');
  for (const file of globSync(MUTATED, { cwd: PROJECT })
    .filter((found) => !isTest(found))
    .toSorted()) {
    const path = join(PROJECT, file);
    const source = await readFile(path, 'utf8');
    const changes = findChanges(path, source);
    if (isWanted(file)) sources[path] = instrument(source, changes, mutants.length);
    for (const change of changes) {
      const line = source.slice(0, change.start).split('\n').length;
      const before = source.slice(change.start, change.end);
      const lineText = (source.split('\n')[line - 1] ?? '').trim();
      const equivalent = EQUIVALENT_MUTANTS.find(
        (one) => one.file === file && one.line === lineText && one.before === before && one.after === change.text,
      );
      if (equivalent !== undefined) stale.delete(equivalent);
      if (isWanted(file)) mutants.push({ ...change, id: mutants.length, file, line, before, isEquivalent: equivalent !== undefined });
    }
  }
  if (stale.size > 0)
    throw new Error(`No mutants, but listed as equivalent: ${[...stale].map(({ file, line }) => `${file} ${line}`).join('; ')}`);
  const testFiles = globSync(TESTS, { cwd: PROJECT })
    .toSorted()
    .map((file) => join(PROJECT, file));
  await writeFile(
    planFile,
    JSON.stringify({
      mutants: mutants.length,
      sources,
      testFiles: Object.groupBy(testFiles, (file) => (file.endsWith(GOLDEN) ? 'golden' : 'others')),
    }),
  );
  return mutants;
}

interface Worker {
  readonly child: ChildProcess;
  readonly ready: WorkerMessage & { readonly kind: 'ready' };
}

/** Starts a process with all tests loaded while a mutant is active. Throws if the mutant prevents loading. */
async function startWorker(mutant: number, which: 'all' | 'golden' | 'others' = 'all'): Promise<Worker> {
  const child = fork(join(import.meta.dirname, 'mutation-worker.ts'), [planFile, String(mutant), which], {
    execArgv: ['--conditions=@svc/source', '--disable-warning=ExperimentalWarning'],
    env: { ...process.env, ...TEST_ENV },
    stdio: ['ignore', 'ignore', mutant < 0 ? 'inherit' : 'ignore', 'ipc'],
  });
  const message = await nextMessage(child, START_MS);
  if (message?.kind === 'ready') return { child, ready: message };
  child.kill('SIGKILL');
  throw new Error('the tests cannot be loaded');
}

/** Returns the next message of a worker; null if it ends or times out. */
async function nextMessage(child: ChildProcess, timeoutMs: number): Promise<WorkerMessage | null> {
  const done = new AbortController();
  const timer = setTimeout(() => done.abort(), timeoutMs);
  try {
    const ended = once(child, 'exit', { signal: done.signal }).then(() => null);
    const said = once(child, 'message', { signal: done.signal }).then(([message]) => message as WorkerMessage);
    return await Promise.race([ended, said].map((event) => event.catch(() => null)));
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

interface Known {
  worker: Worker;
  readonly tests: (WorkerMessage & { readonly kind: 'ready' })['tests'];
  readonly covering: ReadonlyMap<number, readonly number[]>;
  /** Tests that fail without a mutant. */
  readonly broken: ReadonlySet<string>;
  readonly atLoad: ReadonlySet<number>;
  /** The mutants of a file. */
  readonly idsOf: (file: string) => readonly number[];
}

async function runSample(sample: readonly Mutant[], known: Known): Promise<void> {
  const count = { killed: 0, survived: 0, equivalent: 0, unreached: 0 };
  for (const [i, mutant] of sample.entries()) {
    const wanted = (known.covering.get(mutant.id) ?? []).toSorted((a, b) => millisOf(known, a) - millisOf(known, b));
    const isAtLoad = known.atLoad.has(mutant.id);
    const isReached = isAtLoad || wanted.length > 0;
    const killedBy = isAtLoad ? await runAtLoad(mutant, known) : isReached ? await runWarm(mutant, wanted, known) : null;
    if (killedBy !== null && mutant.isEquivalent) throw new Error(`${described(mutant)} is listed as equivalent, but ${killedBy} kills it`);
    count[killedBy !== null ? 'killed' : mutant.isEquivalent ? 'equivalent' : isReached ? 'survived' : 'unreached'] += 1;
    if (killedBy === null && !mutant.isEquivalent) say(`survived ${isReached ? '' : '(reached by no test) '}${described(mutant)}`);
    else if (values.kills) say(`${killedBy === null ? 'equivalent' : 'killed'} ${described(mutant)}  by ${killedBy ?? 'none'}`);
    if ((i + 1) % 20 === 0) say(`${i + 1} run, ${count.killed} killed`);
  }
  known.worker.child.disconnect();
  const most = sample.length - count.equivalent;
  say(
    `${count.killed} of ${most} killed (${((100 * count.killed) / Math.max(1, most)).toFixed(1)} %); ${count.survived} survived, ${count.unreached} are reached by no test; ${count.equivalent} more mean the same as the code`,
  );
}

function millisOf(known: Known, test: number): number {
  return known.tests[test]?.millis ?? 0;
}

function described({ file, line, before, text }: Mutant): string {
  return `${file}:${line}  ${short(before)}  →  ${text === null ? '(removed)' : short(text)}`;
}

async function runWarm(mutant: Mutant, wanted: readonly number[], known: Known): Promise<string | null> {
  const expected = wanted.reduce((sum, index) => sum + (known.tests[index]?.millis ?? 0), 0);
  const request: RunRequest = { mutant: mutant.id, tests: wanted.map((index) => known.tests[index]?.name ?? '') };
  known.worker.child.send(request);
  const message = await nextMessage(known.worker.child, PATIENCE_MS + 3 * expected);
  if (message?.kind === 'result') return message.killedBy;
  known.worker.child.kill('SIGKILL');
  known.worker = await restarted();
  return 'time';
}

/** Starts a worker that need not record what its tests reach. */
async function restarted(): Promise<Worker> {
  return startWorker(Number.MAX_SAFE_INTEGER);
}

/** Runs a mutant of code evaluated at load time in processes of its own: with the golden cases, which kill most, then with the others. */
async function runAtLoad(mutant: Mutant, known: Known): Promise<string | null> {
  return (await runLoaded(mutant, known, 'golden')) ?? (await runLoaded(mutant, known, 'others'));
}

/** Tests that reach the file of the mutant are run first. */
async function runLoaded(mutant: Mutant, known: Known, which: 'golden' | 'others'): Promise<string | null> {
  const worker = await startWorker(mutant.id, which).catch(() => null);
  if (worker === null) return 'loading';
  const near = new Set(known.idsOf(mutant.file).flatMap((id) => known.covering.get(id) ?? []));
  const rank = (test: number): number => (near.has(test) ? 0 : 1);
  const order = [...known.tests.keys()]
    .filter((test) => !known.broken.has(known.tests[test]?.name ?? ''))
    .toSorted((a, b) => rank(a) - rank(b) || millisOf(known, a) - millisOf(known, b));
  const request: RunRequest = { mutant: mutant.id, tests: order.map((test) => known.tests[test]?.name ?? '') };
  worker.child.send(request);
  const message = await nextMessage(worker.child, START_MS);
  worker.child.kill('SIGKILL');
  return message?.kind === 'result' ? message.killedBy : 'time';
}

/** Returns the survivors in a run's output, independently of line numbers. */
async function survivorsOf(outputFile: string): Promise<ReadonlySet<string>> {
  const lines = (await readFile(outputFile, 'utf8')).split('\n').filter((line) => line.startsWith('survived '));
  return new Set(lines.map((line) => line.replace(/^survived (\(reached by no test\) )?/, '').replace(/:\d+  /, '  ')));
}

function withoutLine(mutant: Mutant): string {
  return described(mutant).replace(/:\d+  /, '  ');
}

/** Returns a sample, the same for the same seed. */
function choose<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(Math.floor(random() * left.length), 1)).flat();
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
