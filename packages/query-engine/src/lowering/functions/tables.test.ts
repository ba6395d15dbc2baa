import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openQueryRunner, type QueryOutcome, type QueryRunner } from '../../testing/query-runner.ts';

/**
 * Behaviour of functions for NULL, empty values, the ends of types and wrong arguments: `tables/*.txt`, one program per
 * line, and after `  =>  ` its lines and its type, or `! message @ place` if it fails, or `?? message @ places` if it is
 * invalid. `REWRITE_CASES=1` writes the actual outcomes: read every changed line before you commit it.
 */
const FOLDER = join(import.meta.dirname, 'tables');
const ARROW = '  =>  ';

const isRewriting = process.env['REWRITE_CASES'] !== undefined;
const tables = await Promise.all(
  (await readdir(FOLDER)).toSorted().map(async (name) => ({ name, lines: (await readFile(join(FOLDER, name), 'utf8')).split('\n') })),
);

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner({});
});
afterAll(() => runner.close());

function printOutcome(text: string, outcome: QueryOutcome): string {
  const at = (span: { readonly start: number; readonly end: number } | undefined): string =>
    span === undefined ? '-' : text.slice(span.start, span.end);
  switch (outcome.kind) {
    case 'result':
      return `${outcome.lines.join(' | ')}  ::  ${outcome.type}`;
    case 'failed':
      return `! ${outcome.message} @ ${at(outcome.span)}`;
    case 'invalid':
      return outcome.faults.map(({ message, spans }) => `?? ${message} @ ${spans.map(at).join(' & ')}`).join('; ');
  }
}

describe.each(tables)('$name', ({ name, lines }) => {
  const cases = lines.flatMap((line) => (line.trim() === '' || line.startsWith('#') ? [] : [line]));
  const found = new Map<string, string>();
  test.each(cases)('%s', async (line) => {
    const [text = '', expected = ''] = line.split(ARROW);
    const outcome = printOutcome(text.trim(), await runner.outcome(text.trim()));
    found.set(line, `${text.trim()}${ARROW}${outcome}`);
    expect(outcome).toBe(isRewriting ? outcome : expected);
  });
  afterAll(async () => {
    if (isRewriting) await writeFile(join(FOLDER, name), lines.map((line) => found.get(line) ?? line).join('\n'));
  });
});
