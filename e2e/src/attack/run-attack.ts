import { createRandom, type Random } from '@svc/test-kit';

import type { AttackTarget, ServiceName } from './attack-target.ts';
import { callFuzzer } from './fuzz-calls.ts';
import { fileFuzzer, uploadFuzzer } from './fuzz-files.ts';
import { programFuzzer, readOperations, requestFuzzer } from './fuzz-requests.ts';
import { sendAttack, type AttackRequest } from './send-attack.ts';
import { watchServices, type ServiceWatch } from './watch-services.ts';

/** Duration or number of requests, and the seed. */
export interface AttackOptions {
  /** Unlimited if undefined. */
  readonly millis?: number;
  /** Number of requests; unlimited if undefined. */
  readonly requests?: number;
  readonly seed: number;
  /** Number of concurrent attacks. */
  readonly concurrency: number;
  /** Called once for each finding. */
  readonly onFinding: (finding: string) => void;
  /** Called with the progress. */
  readonly onProgress?: (summary: AttackSummary) => void;
}

/** Requests sent, and their results. */
export interface AttackSummary {
  readonly seconds: number;
  readonly requests: number;
  /** By kind of attack and status. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly findings: readonly string[];
  readonly peaks: ServiceWatch['peaks'];
}

const PROGRESS_MILLIS = 10_000;
const SUBJECTS = 3;
const SHOWN_CHARACTERS = 1_500;

type Fuzzer = (random: Random) => AttackRequest | Promise<AttackRequest & { readonly done?: () => Promise<void> }>;

/** Attacks a target with random programs, requests, files and uploads, several concurrently; the same seed generates the same ones. */
export async function runAttack(target: AttackTarget, options: AttackOptions): Promise<AttackSummary> {
  const fuzzers: readonly [Fuzzer, ...Fuzzer[]] = [
    programFuzzer(),
    requestFuzzer(await readOperations(target)),
    await fileFuzzer(target),
    uploadFuzzer(),
    await callFuzzer(target),
  ];
  const findings = new Map<string, string>();
  const find = (signature: string, text = signature): void => {
    if (findings.has(signature)) return;
    findings.set(signature, text);
    options.onFinding(text);
  };
  const tokens = await Promise.all(Array.from({ length: SUBJECTS }, (_, i) => target.token(`attacker-${i}`)));
  await Promise.all(tokens.map((token) => makeTable(target, token)));
  const running = new Set<AttackRequest>();
  const runningAt = (service: ServiceName): string =>
    [...running].flatMap((attack) => (attack.service === service ? [describe(attack)] : [])).join('\n    ');
  const watch = watchServices(target, { onFinding: (finding) => find(finding), runningAt });
  const counts = new Map<string, Map<number, number>>();
  const startedAt = performance.now();
  const summary = (): AttackSummary => ({
    seconds: (performance.now() - startedAt) / 1000,
    requests: [...counts.values()].flatMap((by) => [...by.values()]).reduce((sum, count) => sum + count, 0),
    counts,
    findings: [...findings.values()],
    peaks: watch.peaks,
  });
  const progress = setInterval(() => options.onProgress?.(summary()), PROGRESS_MILLIS);
  const worker = async (index: number): Promise<void> => {
    const random = createRandom(options.seed * 1_000_003 + index);
    const most = (options.requests ?? Infinity) / options.concurrency;
    for (let sent = 0; sent < most && performance.now() - startedAt < (options.millis ?? Infinity); sent += 1) {
      const attack: AttackRequest & { readonly done?: () => Promise<void> } = await random.pick(fuzzers)(random);
      running.add(attack);
      const { status, fault } = await sendAttack(target, attack, tokens[index % SUBJECTS] ?? '');
      running.delete(attack);
      await attack.done?.();
      const by = counts.get(attack.kind) ?? new Map<number, number>();
      counts.set(attack.kind, by.set(status, (by.get(status) ?? 0) + 1));
      if (fault !== null) find(signatureOf(attack, fault), `${fault}\n    ${describe(attack)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.concurrency }, (_, index) => worker(index)));
  } finally {
    clearInterval(progress);
    await watch.stop();
  }
  for (const notice of target.notices) find(`a service died: ${notice}`);
  return summary();
}

/** Creates the table for uploads, under a name that no other fuzzer uses. */
async function makeTable({ urls }: AttackTarget, token: string): Promise<void> {
  const response = await fetch(`${urls.executor}/tables/uploads`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'collection(record(a: int, b: string nullable))' }),
  });
  if (!response.ok) throw new Error(`the table was not made: ${await response.text()}`);
}

/** Faults of one cause are shown once: request ids and numbers differ. */
function signatureOf({ kind, service, method, path }: AttackRequest, fault: string): string {
  return `${kind} ${service} ${method} ${path.replaceAll(/[?].*|%\w\w/g, '').slice(0, 40)} ${fault.replaceAll(/[0-9a-f-]{36}|\d+/g, '#').slice(0, 80)}`;
}

/** Enough to send it again. */
function describe({ kind, service, method, path, headers, body }: AttackRequest): string {
  const text = typeof body === 'string' ? JSON.stringify(body) : `base64 ${body.toString('base64')}`;
  return `${kind}: ${method} ${path.slice(0, SHOWN_CHARACTERS)} of ${service}, ${JSON.stringify(headers).slice(0, SHOWN_CHARACTERS)}, ${text.slice(0, SHOWN_CHARACTERS)}`;
}
