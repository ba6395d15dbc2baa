import { randomNumbers, runRandom, shrink } from '@svc/reference-evaluator';

import { openQueryRunner, type QueryRunner } from './testing/query-runner.ts';
import { ENGINE_TABLES } from './testing/random-tables.ts';

/** More of them, and others, for the nightly form: `SVC_RANDOM_PROGRAMS=20000 SVC_RANDOM_SEED=7`. */
const COUNT = Number(process.env['SVC_RANDOM_PROGRAMS'] ?? 500);
const SEED = Number(process.env['SVC_RANDOM_SEED'] ?? 1);
/** Number of the first program: runs a reported fault again alone, with `SVC_RANDOM_PROGRAMS=1`. */
const FIRST = Number(process.env['SVC_RANDOM_FIRST'] ?? 0);
/** Maximum number of faults; each is shrunk before it is reported, which takes a while. */
const MOST_FAULTS = Number(process.env['SVC_RANDOM_FAULTS'] ?? 3);

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(ENGINE_TABLES);
});
afterAll(() => runner.close());

test(
  `${COUNT} random programs of seed ${SEED} from number ${FIRST} on do what a naive evaluator says`,
  async () => {
    const counts = new Map<string, number>();
    const faults: string[] = [];
    for (let i = FIRST; i < FIRST + COUNT && faults.length < MOST_FAULTS; i += 1) {
      const outcome = await runRandom(runner, [], randomNumbers(SEED * 1_000_003 + i));
      counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
      const done = i + 1 - FIRST;
      if (done % 1000 === 0 && done < COUNT) show(`so far ${countsOf(counts)}`);
      if (outcome.kind !== 'fault') continue;
      const fault = `program ${i}: ${await smallest(outcome.taken)}`;
      show(fault); // a long run that is ended before its end has shown it
      faults.push(fault);
    }
    show(countsOf(counts));
    expect(faults).toEqual([]);
    // Programs that the language leaves open, or that are not supported, prove nothing: most must be neither.
    const proven = ['same', 'failed-as-expected', 'passed-over'].reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
    expect(proven).toBeGreaterThan(COUNT * 0.8);
  },
  60_000 + COUNT * 400,
);

function show(text: string): void {
  process.stdout.write(`random programs, seed ${SEED}: ${text}\n`);
}

function countsOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([kind, n]) => `${n} ${kind}`).join(', ');
}

async function smallest(taken: readonly number[]): Promise<string> {
  let note = '';
  await shrink(taken, 400, async (played) => {
    const outcome = await runRandom(runner, played, () => 0);
    if (outcome.kind !== 'fault') return null;
    ({ note } = outcome);
    return outcome.taken;
  });
  return note;
}
