import { type CheckEnvironment, checkProgram, FUNCTIONS, parseProgram } from '@svc/query-language';

import { inferText } from '../../testing/infer-text.ts';
import { printRows } from '../../results/print-rows.ts';
import { never, openTestEngine, type TestEngine } from '../../testing/with-engine.ts';
import { lowerPlan } from '../lower-plan.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await openTestEngine();
});
afterAll(() => engine.close());

const environment: CheckEnvironment = {
  findRead: () => undefined,
  findName: () => undefined,
  findPackage: () => undefined,
  inferText,
};
const PARAMETERS: Readonly<Record<string, string>> = { now: '2024-02-29 12:00:00', today: '2024-02-29', user: 'someone', scopes: '["a"]' };

/** Returns the printed result. */
async function run(query: string, format: 'json' | 'hjson'): Promise<string> {
  const { tree } = parseProgram(query);
  if (tree === null) throw new Error('the example cannot be parsed');
  const { plan, diagnostics } = checkProgram(tree, environment, { arguments: new Map() });
  if (plan === null) throw new Error(JSON.stringify(diagnostics));
  const lowered = lowerPlan(plan, {
    reader: () => {
      throw new Error('no reader');
    },
    tableScan: () => {
      throw new Error('no table');
    },
  });
  const printed = printRows(lowered, { format });
  return engine.withLease(async (lease) =>
    lease.run(never, async (connection) => {
      const result = await connection.run(
        printed.sql,
        lowered.parameters.map((name) => PARAMETERS[name] ?? null),
      );
      const rows = (await result.getRows()).map((row) => String(row[0]));
      const body = (printed.isWhole ? rows : rows.slice(0, -1)).join('');
      return `${printed.framing.prefix}${printed.framing.dropsFirstByte ? body.slice(1) : body}${printed.framing.suffix}`;
    }),
  );
}

const EXAMPLES = FUNCTIONS.flatMap((definition) => definition.examples.map((example): [string, string] => [example.query, example.result]));

it.each(EXAMPLES)('%s is %s', async (query, result) => {
  expect([(await run(query, 'json')).trimEnd(), (await run(query, 'hjson')).trimEnd()]).toContain(result);
});

it.each([
  ['TRY(CHR(-1))', 'null'],
  ['TRY(ERROR("no"))', 'null'],
  ['TRY(MOD(1, 0))', 'null'],
  ['TRY(CHR(65))', '"A"'],
])('what a function raises is caught by %s', async (query, result) => {
  expect((await run(query, 'json')).trimEnd()).toBe(result);
});
