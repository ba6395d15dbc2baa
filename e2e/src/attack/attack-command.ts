import { readOptions } from '@svc/test-kit';

import { SERVICES, startAttackTarget } from './attack-target.ts';
import { runAttack, type AttackSummary } from './run-attack.ts';
import { closeConnections } from './send-attack.ts';
import { LIMIT_MEGABYTES, MOST_STALL_MILLIS } from './watch-services.ts';

const USAGE = `npm run attack -- [--minutes 30] [--seed 1] [--concurrency 8]

Random programs, requests and files against all services, until the time is up. Ends with code 1 if anything failed that must not:
an answer of 500, a crash, a stall or too much memory. The same seed sends the same.`;

const { minutes, seed, concurrency } = readArguments();
process.stdout.write(`attack: ${minutes} minutes, seed ${seed}, ${concurrency} at once\n`);
const target = await startAttackTarget();
try {
  const summary = await runAttack(target, {
    millis: minutes * 60_000,
    seed,
    concurrency,
    onFinding: (finding) => process.stdout.write(`FINDING ${finding}\n`),
    onProgress: (now) => process.stdout.write(`${now.seconds.toFixed(0)} s: ${now.requests} requests, ${now.findings.length} findings\n`),
  });
  process.stdout.write(describe(summary));
  if (summary.findings.length > 0) process.exitCode = 1;
} finally {
  closeConnections();
  await target.stop();
}

function readArguments() {
  const values = readOptions(USAGE, {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '8' },
  });
  const number = (name: keyof typeof values): number => {
    const value = Number(values[name]);
    if (Number.isFinite(value) && value > 0) return value;
    process.stderr.write(`--${name} takes a number above 0, found ${JSON.stringify(values[name])}\n`);
    process.exit(2);
  };
  return { minutes: number('minutes'), seed: number('seed'), concurrency: number('concurrency') };
}

/** Formats the report of a run. The verdict comes last. */
function describe({ seconds, requests, counts, findings, peaks }: AttackSummary): string {
  const kinds = [...counts]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(
      ([kind, by]) =>
        `  ${kind.padEnd(20)} ${[...by]
          .toSorted(([left], [right]) => left - right)
          .map(([status, count]) => `${status === 0 ? 'cut off' : status}: ${count}`)
          .join(', ')}`,
    );
  const services = SERVICES.map((name) => {
    const { residentMegabytes, stallMillis } = peaks[name];
    const memory = `memory ${Math.round(residentMegabytes)} MB at most (limit ${Math.round(LIMIT_MEGABYTES[name])})`;
    return `  ${name.padEnd(20)} ${memory}, longest stall ${Math.round(stallMillis)} ms (limit ${MOST_STALL_MILLIS})`;
  });
  const failures = findings.map((one) => `FINDING ${one}`);
  const verdict = findings.length === 0 ? 'PASSED: nothing was found, exit code 0' : `FAILED: ${findings.length} findings, exit code 1`;
  const head = `${requests} requests in ${seconds.toFixed(0)} s, seed ${seed}, ${concurrency} at once`;
  return `${[head, 'answers by kind and status:', ...kinds, 'services:', ...services, ...failures, verdict].join('\n')}\n`;
}
