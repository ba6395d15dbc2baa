import { openTestRuntime, READER, type TestRuntime } from './testing/test-runtime.ts';

let at: TestRuntime;
beforeAll(async () => {
  at = await openTestRuntime({ root: import.meta.dirname });
});
afterAll(() => at.close());

async function bodyOf(text: string): Promise<AsyncIterable<Uint8Array>> {
  const signal = new AbortController().signal;
  const asked = { caller: READER, text, arguments: new Map(), format: 'hjson', lineEnding: 'unix', maxBytes: undefined, signal } as const;
  return (await at.runtime.run(asked)).body;
}

test('the body of a query has no generator function of its own, which would keep the query until the whole heap is collected', async () => {
  const bodies = [await bodyOf('1'), await bodyOf('SELECT x FROM [1, 2] x')];
  const [kind, other] = bodies.map((body): unknown => Object.getPrototypeOf(body));
  expect(kind === other).toBe(true);
  for (const body of bodies) for await (const piece of body) expect(piece.byteLength).toBeGreaterThan(0);
});
