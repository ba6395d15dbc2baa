import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { expect } from 'expect';

import { createTestGlobals } from './collect-tests.ts';
import type { RunRequest, WorkerMessage } from './mutation-messages.ts';

/**
 * A file of JSON: how many mutants there are, the instrumented sources by path, and the test files; the mutant that is
 * on while they load; which of the files.
 */
const [planFile = '', initial = '-1', which = 'all'] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, 'utf8')) as {
  readonly mutants: number;
  readonly sources: Readonly<Record<string, string>>;
  readonly testFiles: { readonly golden: readonly string[]; readonly others: readonly string[] };
};

let active = Number(initial);
/** By mutant: whether it was reached; null once that is known. */
let reached: Uint8Array | null = new Uint8Array(plan.mutants);
const { globals, begin, tests, before, after } = createTestGlobals();
Object.assign(globalThis, globals, {
  expect,
  mutant: (id: number) => {
    if (reached !== null) reached[id] = 1;
    return id === active;
  },
  mutantOn: (id: number) => id === active,
  mutantDecided: (whenTrue: number, whenFalse: number, value: unknown) => {
    if (reached !== null) reached[value ? whenTrue : whenFalse] = 1;
    return value;
  },
});
const { golden, others } = plan.testFiles;
const testFiles = which === 'golden' ? golden : which === 'others' ? others : [...golden, ...others];
registerHooks({
  load: (url, context, next) => {
    const code = url.startsWith('file:') ? plan.sources[fileURLToPath(url)] : undefined;
    return code === undefined ? next(url, context) : { format: 'module', source: stripTypeScriptTypes(code), shortCircuit: true };
  },
});
for (const file of testFiles) {
  begin(file);
  await import(pathToFileURL(file).href);
}
for (const hook of before) await hook();
const atLoad = numbersOf(reached);
const byName = new Map(tests.map((one) => [one.name, one]));

process.on('message', (request: RunRequest) => void answer(request));
process.on('disconnect', () => process.exit());
send(active < 0 ? await runAll() : { kind: 'ready', tests: [], atLoad: [], broken: [] });

/** Runs every test without a mutant, to record what each reaches. */
async function runAll(): Promise<WorkerMessage> {
  const found: { readonly name: string; readonly millis: number; readonly mutants: readonly number[] }[] = [];
  const broken: string[] = [];
  for (const { name, run } of tests) {
    reached = new Uint8Array(plan.mutants);
    const begun = performance.now();
    if (await fails(run)) broken.push(name);
    found.push({ name, millis: performance.now() - begun, mutants: numbersOf(reached) });
  }
  reached = null;
  return { kind: 'ready', tests: found, atLoad, broken };
}

function numbersOf(flags: Uint8Array): readonly number[] {
  return [...flags.keys()].filter((id) => flags[id] === 1);
}

async function answer({ mutant, tests: wanted }: RunRequest): Promise<void> {
  active = mutant;
  reached = null;
  let killedBy: string | null = null;
  for (const name of wanted) {
    const one = byName.get(name);
    if (one !== undefined && (await fails(one.run))) {
      killedBy = one.name;
      break;
    }
  }
  active = -1;
  send({ kind: 'result', mutant, killedBy });
}

async function fails(run: () => unknown): Promise<boolean> {
  try {
    await run();
    return false;
  } catch {
    return true;
  }
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

process.on('exit', () => {
  for (const hook of after) void hook();
});
