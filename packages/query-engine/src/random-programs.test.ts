import { openQueryRunner, type QueryRunner } from './testing/query-runner.ts';
import { runRandom } from './testing/random/run-random.ts';
import { shrink } from './testing/random/shrink.ts';
import { ENGINE_TABLES } from './testing/random/tables.ts';
import { randomNumbers } from './testing/random/tape.ts';

/** More of them, and others, for the nightly form: `SVC_RANDOM_PROGRAMS=20000 SVC_RANDOM_SEED=7`. */
const COUNT = Number(process.env['SVC_RANDOM_PROGRAMS'] ?? 500);
const SEED = Number(process.env['SVC_RANDOM_SEED'] ?? 1);
/** Each is made smaller before it is shown, which takes a while. */
const MOST_FAULTS = Number(process.env['SVC_RANDOM_FAULTS'] ?? 3);

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(ENGINE_TABLES);
});
afterAll(() => runner.close());

test(
  `${COUNT} random programs of seed ${SEED} do what a naive evaluator says`,
  async () => {
    const counts = new Map<string, number>();
    const faults: string[] = [];
    for (let i = 0; i < COUNT && faults.length < MOST_FAULTS; i += 1) {
      const outcome = await runRandom(runner, [], randomNumbers(SEED * 1_000_003 + i));
      counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
      if (outcome.kind === 'fault') faults.push(`program ${i}: ${await smallest(outcome.taken)}`);
    }
    process.stdout.write(`random programs, seed ${SEED}: ${[...counts].map(([kind, n]) => `${n} ${kind}`).join(', ')}\n`);
    expect(faults).toEqual([]);
    // What the language leaves open and what is not built proves nothing: most programs must be neither.
    const proven = ['same', 'failed-as-expected', 'passed-over'].reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
    expect(proven).toBeGreaterThan(COUNT * 0.8);
  },
  60_000 + COUNT * 100,
);

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
