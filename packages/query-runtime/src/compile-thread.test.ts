import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { QueryFailure } from '@svc/errors';

import { QueryReading } from '@svc/sources';

import { CompileThread } from './compile-thread.ts';
import { openTestRuntime, READER, type TestRuntime } from './testing/test-runtime.ts';

const many = (count: number, make: (i: number) => string, between: string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(between);
/** Prefix of a program that is compiled in a thread: a long comment. */
const LONG = `/* ${'-'.repeat(40_000)} */\n`;

let root: string;
let at: TestRuntime;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-compile-'));
  await writeFile(join(root, 'people.csv'), 'name,age\nAnn,1\nBo,2\nCy,x\n');
  at = await openTestRuntime({ root });
});
afterAll(async () => {
  await at.close();
  await rm(root, { recursive: true });
});

const signal = new AbortController().signal;

test('a program of many parts means what a small one means', async () => {
  expect(await at.run(`SELECT SUM(x) AS sum, COUNT(*) AS n FROM [${many(1000, String, ', ')}] x`)).toBe('{"sum":499500,"n":1000}\n');
});

test('a program is compiled alike wherever that is done', async () => {
  const text = `who := "A";\nSELECT name, age || who AS age FROM READ_CSV("file:people.csv") WHERE name LIKE "%" ORDER BY name DESC`;
  expect(await at.run(LONG + text)).toBe(await at.run(text));
  expect(await at.run(LONG + text)).toBe('{"name":"Cy","age":"xA"}\n{"name":"Bo","age":"2A"}\n{"name":"Ann","age":"1A"}\n');
});

test('a large program takes arguments', async () => {
  expect(await at.run(`${LONG}\\(n: int, times: int := 2) -> n * times`, { n: '21' })).toBe('42\n');
});

test('all that is wrong with a large program is told, at its place', async () => {
  await expect(at.run(`${LONG}a + b`)).rejects.toMatchObject({
    validationErrors: [
      { message: 'a is not declared', positions: [{ begin: { line: 2, column: 1 } }] },
      { message: 'b is not declared', positions: [{ begin: { line: 2, column: 5 } }] },
    ],
  });
});

test.each(['CAST(age AS int)', 'IF age = "x" THEN ERROR("wrong") ELSE "right"'])(
  '%s of a large program fails at its place',
  async (failing) => {
    await expect(at.run(`${LONG}SELECT ${failing} AS age FROM READ_CSV("file:people.csv")`)).rejects.toMatchObject({
      runtimeError: { positions: [{ begin: { line: 2, column: failing.startsWith('CAST') ? 8 : 26 } }] },
    });
  },
);

test('a long program does not hold up others', async () => {
  const large = at.runtime.validate(READER, `${LONG}1`, signal);
  const first = await Promise.race([large, at.runtime.validate(READER, '"small"', signal)]);
  expect(first).toMatchObject({ name: 'string' });
  expect(await large).toMatchObject({ name: 'int' });
});

test('a short program of which much is made is refused', async () => {
  const text = `f0(x: int) := x + 1; ${many(11, (i) => `f${i + 1}(x: int) := f${i}(x) + f${i}(x); `, '')} f11(1)`;
  await expect(at.runtime.validate(READER, text, signal)).rejects.toMatchObject({
    validationErrors: [{ message: 'the program is too large: its calls of functions expand to more than 20000 parts' }],
  });
});

test('large views and packages are checked, as small ones are', async () => {
  expect(await at.runtime.checkView(READER, { name: 'v', text: `${LONG}SELECT x FROM [1] x` }, signal)).toMatchObject({ uses: [] });
  expect(await at.runtime.checkPackage(READER, { name: 'p', text: `${LONG}f(x: int) := x;` }, signal)).toMatchObject({
    functions: [{ name: 'f' }],
  });
});

test('of thousands of faults the first are told, and how many more there are', async () => {
  const text = `[${many(2000, (i) => `q${i}`, ', ')}]`;
  const failure: unknown = await at.runtime.validate(READER, text, signal).catch((thrown: unknown) => thrown);
  const { validationErrors } = failure as QueryFailure;
  expect(validationErrors).toHaveLength(1001);
  expect(validationErrors.at(-1)).toEqual({ message: 'there are 1000 more errors', positions: [] });
});

const EMPTY_WORLD = {
  sources: { resolve: async () => await Promise.reject(new Error()) },
  catalog: null,
  namespace: 'n',
  reading: new QueryReading('s'),
  lease: async () => await Promise.reject(new Error()),
};

test('a large program that nobody waits for any more is left, and the next is compiled', async () => {
  const thread = new CompileThread();
  const leaving = new AbortController();
  const text = `SELECT ${many(20_000, (i) => `x + ${i} AS c${i}`, ', ')} FROM [1] x`;
  const ask = (wanted: string, from: AbortSignal): Promise<unknown> =>
    thread.run({ kind: 'view', name: 'v', text: wanted }, { world: { ...EMPTY_WORLD, signal: from }, subject: 's' });
  const left = ask(text, leaving.signal);
  const waiting = ask('1', signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ failureClass: 'interrupted' });
  expect(await waiting).toMatchObject({ type: { name: 'int' } });
  await thread.close();
  expect(await ask('"again"', signal)).toMatchObject({ type: { name: 'string' } });
  await thread.close();
});

test('a program that takes too long is refused, with what to do', async () => {
  const thread = new CompileThread({ mostMillis: 20 });
  const ask = (text: string): Promise<unknown> =>
    thread.run({ kind: 'view', name: 'v', text }, { world: { ...EMPTY_WORLD, signal }, subject: 's' });
  await expect(ask(`[${many(50_000, String, ', ')}]`)).rejects.toMatchObject({
    validationErrors: [
      { message: expect.stringMatching(/^the program is too large: compiling it takes more than 0.02 s: move/) as unknown },
    ],
  });
  await thread.close();
});

test('what a large program lacks and cannot be had is told', async () => {
  await expect(at.run(`${LONG}READ_CSV("file:nothing.csv")`)).rejects.toMatchObject({
    validationErrors: [{ message: expect.stringContaining('path not found') as unknown }],
  });
});
