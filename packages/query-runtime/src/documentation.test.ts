import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isQueryFailure } from '@svc/errors';

import { openTestRuntime } from './testing/test-runtime.ts';

const ROOT = join(import.meta.dirname, '../../..');
const text = await readFile(join(ROOT, 'docs/language.md'), 'utf8');
const examples = [...text.matchAll(/```query\n([\s\S]*?)\n```\n```(result|error)\n([\s\S]*?)```/g)].map(
  ([, query = '', kind = '', expected = '']) => ({ query, kind, expected: expected.trimEnd() }),
);

const runtime = await openTestRuntime({ root: join(ROOT, 'examples/data') });
afterAll(runtime.close);

test('every query of the language page is followed by its result or its error', () => {
  expect(examples).toHaveLength([...text.matchAll(/```query\n/g)].length);
});

test.each(examples)('$query', async ({ query, kind, expected }) => {
  const outcome = await run(query);
  expect(outcome).toEqual({ kind, text: expected });
});

const pairs = [...(/## SQL you know\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '').matchAll(/^\| (`.*`) \| (`.*`) \|$/gm)].map(
  ([, sql = '', other = '']) => ({
    sql: codeOf(sql),
    other: codeOf(other),
  }),
);

test('the table of SQL that is known has its rows', () => {
  expect(pairs.length).toBeGreaterThan(20);
});

test.each(pairs)('$sql is $other', async ({ sql, other }) => {
  expect(await run(sql)).toEqual({ kind: 'result', text: (await run(other)).text });
});

/** The text of a code span of Markdown, in one back-tick or two. */
function codeOf(span: string): string {
  return /^(`+)(.*)\1$/.exec(span)?.[2] ?? '';
}

async function run(query: string): Promise<{ readonly kind: string; readonly text: string }> {
  try {
    return { kind: 'result', text: (await runtime.run(query)).trimEnd() };
  } catch (thrown) {
    if (!isQueryFailure(thrown)) throw thrown;
    const errors = thrown.runtimeError === null ? thrown.validationErrors : [thrown.runtimeError];
    const lines = errors.map(
      ({ message, positions }) =>
        `${positions.map(({ begin, end }) => `${begin.line}:${begin.column}-${end.line}:${end.column}`).join(';')} ${message}`,
    );
    return { kind: 'error', text: lines.join('\n') };
  }
}
