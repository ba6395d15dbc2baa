import type { CheckEnvironment, Type } from '@svc/query-language';
import { checkProgram, parseProgram, parseType } from '@svc/query-language';

import { inferText } from '../testing/infer-text.ts';
import { DEEP_TYPES, NESTED_PROGRAMS, nestedProgram, WIDE_PROGRAMS } from '../testing/nested-programs.ts';
import { openQueryRunner, type QueryRunner } from '../testing/query-runner.ts';
import { TEST_TABLES } from '../testing/test-tables.ts';
import { LoweringUnsupported } from './lowering-unsupported.ts';

let runner: QueryRunner;
beforeAll(async () => {
  runner = await openQueryRunner(TEST_TABLES);
});
afterAll(async () => runner.close());

const environment: CheckEnvironment = {
  findRead: () => undefined,
  findPackage: () => undefined,
  inferText,
  findName: ({ name }) => {
    const table = TEST_TABLES[name];
    return table === undefined ? { kind: 'nothing', candidates: [] } : { kind: 'table', name, type: typeOf(`collection(${table.type})`) };
  },
};

function typeOf(text: string): Type {
  const parsed = parseType(text);
  if (!('type' in parsed)) throw new Error(`${text} is no type`);
  return parsed.type;
}

/** Returns how often the check of a program visits a node of its tree. */
function stepsOf(text: string): number {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error(`${text} is no program`);
  let steps = 0;
  const count = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const part of Object.values(node)) count(part);
    if (!('kind' in node)) return;
    const { kind } = node;
    Object.defineProperty(node, 'kind', { enumerable: true, get: () => ((steps += 1), kind) });
  };
  count(tree);
  expect(checkProgram(tree, environment, { arguments: new Map() }).diagnostics).toEqual([]);
  return steps;
}

/** Returns the length of a program's statement; null if it is rejected. */
function lengthOf(text: string, hasErrorPositions: boolean): number | null {
  try {
    return runner.lower(text, { hasErrorPositions }).sql.length;
  } catch (thrown) {
    if (thrown instanceof LoweringUnsupported) return null;
    throw thrown;
  }
}

const SIZES = [2, 4, 8] as const;

/** Maximum ratio of costs for twice the size: 2 for linear growth, 4 for quadratic growth. */
const MOST = 5;

function expectNoMoreThanSquare(costs: readonly (number | null)[]): void {
  const [small, middle, large] = costs;
  if (typeof small !== 'number' || typeof middle !== 'number' || typeof large !== 'number') return;
  expect(large - middle).toBeLessThanOrEqual(MOST * Math.max(middle - small, 1));
}

const programs = [
  ...Object.entries(NESTED_PROGRAMS).map(([name, program]) => [name, (size: number) => nestedProgram(program, size)] as const),
  ...Object.entries({ ...WIDE_PROGRAMS, ...DEEP_TYPES }),
];

/** Programs that exceed the limit of nested collections when they are large. */
const REFUSED_WHEN_LARGE = new Set([
  'records in collections',
  'two aggregates',
  'aggregate in branches',
  'aggregate in branches over rows',
  'tried aggregate',
  'collections of rows',
  'groups of groups',
  'cast of records',
  'cast of both',
  'cast of any',
  'cast of any to records',
  'typed JSON',
  'typed XML',
  'widened collections',
]);

/** Programs whose SQL repeats both operands; a separate cap keeps them small. */
const DOUBLING = new Set(['full join', 'full join on the left']);

describe('what a program costs before it runs grows no more than by the square of its size', () => {
  it.each(programs)('%s', (name, textOf) => {
    const texts = SIZES.map(textOf);
    expectNoMoreThanSquare(texts.map(stepsOf));
    if (DOUBLING.has(name)) return;
    const lengths = texts.map((text) => lengthOf(text, false));
    expectNoMoreThanSquare(lengths);
    expectNoMoreThanSquare(texts.map((text) => lengthOf(text, true)));
    expect(lengths.slice(0, REFUSED_WHEN_LARGE.has(name) ? 1 : SIZES.length)).not.toContain(null);
  });
});
