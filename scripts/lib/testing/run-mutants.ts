import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { PROJECT } from '../project.js';
import { type Change, findChanges } from './find-mutants.ts';
import { instrument } from './instrument.ts';
import type { RunRequest, WorkerMessage } from './mutation-messages.ts';

const MUTATED = ['packages/query-language/src/check/**/*.ts', 'packages/query-engine/src/lowering/**/*.ts'];
const TESTS = [
  'packages/query-engine/src/cases/cases.test.ts',
  'packages/query-engine/src/lowering/**/*.test.ts',
  'packages/query-language/src/check/**/*.test.ts',
  'packages/query-runtime/src/{reading,reading-csv-json,documentation}.test.ts',
];
/** A mutant that makes a test this much slower than all of them were together hangs. */
const PATIENCE_MS = 20_000;
const START_MS = 300_000;

interface Mutant extends Change {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly before: string;
}

const { values } = parseArgs({
  options: { sample: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
});
const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
const planFile = join(folder, 'plan.json');
try {
  const mutants = await prepare();
  const worker = await startWorker(-1);
  const { tests, atLoad, broken } = worker.ready;
  if (broken.length > 0) throw new Error(`These tests fail without a mutant:\n${broken.join('\n')}`);
  const covering = new Map<number, number[]>();
  for (const [i, test] of tests.entries()) for (const id of test.mutants) covering.set(id, [...(covering.get(id) ?? []), i]);
  const sample = choose(
    mutants.filter(({ file }) => file.includes(values.only)),
    Number(values.sample),
    Number(values.seed),
  );
  say(
    `${mutants.length} mutants in ${Object.keys(Object.groupBy(mutants, ({ file }) => file)).length} files, ${tests.length} tests; a sample of ${sample.length}, seed ${values.seed}`,
  );
  await runSample(sample, { worker, tests, covering, atLoad: new Set(atLoad) });
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Instruments all sources and writes down what a worker needs. */
async function prepare(): Promise<readonly Mutant[]> {
  const mutants: Mutant[] = [];
  const sources: Record<string, string> = {};
  const isTest = (file: string): boolean => file.endsWith('.test.ts') || file.includes('/testing/');
  for (const file of globSync(MUTATED, { cwd: PROJECT })
    .filter((found) => !isTest(found))
    .toSorted()) {
    const path = join(PROJECT, file);
    const source = await readFile(path, 'utf8');
    const changes = findChanges(path, source);
    sources[path] = instrument(source, changes, mutants.length);
    for (const change of changes) {
      const line = source.slice(0, change.start).split('\n').length;
      mutants.push({ ...change, id: mutants.length, file, line, before: source.slice(change.start, change.end) });
    }
  }
  const testFiles = globSync(TESTS, { cwd: PROJECT })
    .toSorted()
    .map((file) => join(PROJECT, file));
  await writeFile(planFile, JSON.stringify({ sources, testFiles }));
  return mutants;
}

interface Worker {
  readonly child: ChildProcess;
  readonly ready: WorkerMessage & { readonly kind: 'ready' };
}

/** A process with all tests loaded, and a mutant that is on while they are. Throws where that one keeps it from loading. */
async function startWorker(mutant: number): Promise<Worker> {
  const child = fork(join(import.meta.dirname, 'mutation-worker.ts'), [planFile, String(mutant)], {
    execArgv: ['--conditions=@svc/source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', mutant < 0 ? 'inherit' : 'ignore', 'ipc'],
  });
  const message = await nextMessage(child, START_MS);
  if (message?.kind === 'ready') return { child, ready: message };
  child.kill('SIGKILL');
  throw new Error('the tests cannot be loaded');
}

/** The next message of a worker; null where it ends or says nothing in time. */
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
  readonly atLoad: ReadonlySet<number>;
}

async function runSample(sample: readonly Mutant[], known: Known): Promise<void> {
  const survivors: Mutant[] = [];
  let unreached = 0;
  for (const [i, mutant] of sample.entries()) {
    const wanted = (known.covering.get(mutant.id) ?? []).toSorted((a, b) => (known.tests[a]?.millis ?? 0) - (known.tests[b]?.millis ?? 0));
    const isAtLoad = known.atLoad.has(mutant.id);
    if (wanted.length === 0 && !isAtLoad) unreached += 1;
    const killedBy = isAtLoad ? await runAtLoad(mutant, known) : wanted.length === 0 ? null : await runWarm(mutant, wanted, known);
    if (killedBy === null) survivors.push(mutant);
    if ((i + 1) % 20 === 0) say(`${i + 1} run, ${survivors.length} survived`);
  }
  known.worker.child.disconnect();
  for (const { file, line, before, text } of survivors)
    say(`survived ${relative(PROJECT, join(PROJECT, file))}:${line}  ${short(before)}  →  ${text === null ? '(removed)' : short(text)}`);
  const killed = sample.length - survivors.length;
  say(
    `${killed} of ${sample.length} killed (${((100 * killed) / Math.max(1, sample.length)).toFixed(1)} %); ${unreached} of the survivors are reached by no test`,
  );
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

/** A worker that knows already what its tests reach. */
async function restarted(): Promise<Worker> {
  return startWorker(Number.MAX_SAFE_INTEGER);
}

/** What is evaluated once, when its file is loaded, needs a process of its own. */
async function runAtLoad(mutant: Mutant, known: Known): Promise<string | null> {
  const worker = await startWorker(mutant.id).catch(() => null);
  if (worker === null) return 'loading';
  const request: RunRequest = { mutant: mutant.id, tests: known.tests.map(({ name }) => name) };
  worker.child.send(request);
  const message = await nextMessage(worker.child, START_MS);
  worker.child.kill('SIGKILL');
  return message?.kind === 'result' ? message.killedBy : 'time';
}

/** Some of them, the same for the same seed. */
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
