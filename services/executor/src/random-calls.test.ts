import { Agent, request } from 'node:http';

import { startExecutorUnderTest, type ExecutorUnderTest } from './testing/executor-under-test.ts';
import { differenceOf, type Answer, type Call } from './testing/model/call.ts';
import { NamespaceModel } from './testing/model/namespace-model.ts';
import { randomCall } from './testing/model/random-call.ts';
import { createRandom } from '@svc/test-kit';

/** More of them, and others: `SVC_RANDOM_CALLS=100000 SVC_RANDOM_SEED=7`. */
const COUNT = Number(process.env['SVC_RANDOM_CALLS'] ?? 3000);
const SEED = Number(process.env['SVC_RANDOM_SEED'] ?? 1);
const SUBJECTS = ['ann', 'ben'];
/** The calls of one subject before the one that was answered wrongly, which are shown. */
const SHOWN_CALLS = 12;

let executor: ExecutorUnderTest;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  executor = await startExecutorUnderTest({ concurrency: 4 });
});
afterAll(async () => {
  agent.destroy();
  await executor.close();
});

async function send(token: string, { method, path, body, type }: Call): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { Authorization: `Bearer ${token}`, ...(type !== undefined && { 'Content-Type': type }) };
  const sent = request(executor.url + path, { method, headers, agent }, (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => chunks.push(chunk));
    res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    res.on('error', reject);
  });
  sent.on('error', reject).end(body);
  return promise;
}

/** Runs the calls of one subject in sequence, while other subjects call the same names. Returns the first wrong response. */
async function follow(subject: string, seed: number, counts: Map<string, number>): Promise<string | null> {
  const token = await executor.token(subject);
  const model = new NamespaceModel();
  const random = createRandom(seed);
  const shown: string[] = [];
  for (let i = 0; i < COUNT / SUBJECTS.length; i += 1) {
    const call = randomCall(model, random);
    const answer = await send(token, call);
    shown.push(`${call.method} ${call.path} ${call.body ?? ''} -> ${answer.status} ${answer.text}`);
    const difference = differenceOf(call.expected, answer);
    if (difference !== null) return `${subject}, call ${i}: ${difference}\n${shown.slice(-SHOWN_CALLS).join('\n')}`;
    counts.set(call.expected.kind, (counts.get(call.expected.kind) ?? 0) + 1);
  }
  return null;
}

test(
  `${COUNT} random calls of two subjects, seed ${SEED}, are answered as the model says`,
  async () => {
    const began = performance.now();
    const counts = new Map<string, number>();
    const faults = await Promise.all(SUBJECTS.map((subject, i) => follow(subject, SEED * 1_000_003 + i, counts)));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const kinds = [...counts].map(([kind, n]) => `${n} ${kind}`).join(', ');
    process.stdout.write(`random calls, seed ${SEED}: ${COUNT} in ${seconds} s: ${kinds}\n`);
    expect(faults).toEqual(SUBJECTS.map(() => null));
    // A run with few successes or failures would prove little.
    for (const kind of ['json', 'lines', 'empty', 'error', 'fault']) expect(counts.get(kind) ?? 0).toBeGreaterThan(COUNT / 50);
  },
  60_000 + COUNT * 100,
);
