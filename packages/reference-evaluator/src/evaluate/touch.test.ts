import type { Binary, Select, Term } from '../program/term.ts';
import { bind, emptyEnvironment } from './environment.ts';
import { RULES } from './rules.ts';
import { touchKeys } from './touch-keys.ts';
import { touch } from './touch.ts';

const int = (value: bigint): Term => ({ kind: 'literal', shape: 'int', value });

/** `SELECT 1 FROM ‹a row that there is not› LIMIT limit` */
function selectOfNoRow(limit: Term): Select {
  const collection: Term = { kind: 'variable', id: 7, name: 'x', shape: { kind: 'collection', element: 'int' } };
  const source = {
    id: 8,
    shape: 'int',
    alias: 't',
    isAliasWritten: true,
    position: null,
    collection,
    join: null,
    on: null,
    using: [],
  } as const;
  return {
    kind: 'select',
    id: 9,
    shape: { kind: 'collection', element: 'int' },
    sources: [source],
    where: null,
    isSingle: false,
    items: [{ value: int(1n), field: null, isFieldWritten: false }],
    isDistinct: false,
    distinctOn: [],
    keys: [],
    groupings: null,
    having: null,
    qualify: null,
    orderBy: [],
    limit,
    offset: null,
  };
}

test('a bound that uses no row may fail though there are no rows, and only a negative one does', () => {
  const [negative, positive] = [emptyEnvironment(RULES, null), emptyEnvironment(RULES, null)];
  touch(selectOfNoRow(int(-1n)), negative);
  touch(selectOfNoRow(int(1n)), positive);
  expect([negative, positive].map(({ progress }) => progress.hasFailed)).toEqual([true, false]);
});

const variable = (id: number): Term => ({ kind: 'variable', id, name: `v${id}`, shape: 'int' });
const binary = (operator: Binary['operator'], left: Term, right: Term): Term => ({ kind: 'binary', shape: 'bool', operator, left, right });

test.each([
  ['of both sources does not guard', binary('<', variable(1), variable(2)), true],
  ['of one source guards', binary('<', variable(1), int(0n)), false],
])('a condition %s a comparison after it', (_, condition, hasFailed) => {
  const environment = emptyEnvironment(RULES, null);
  const row = bind(environment, [
    [1, 5n],
    [2, 0n],
  ]);
  const key = binary('=', variable(1), { kind: 'binary', shape: 'int', operator: '%', left: int(1n), right: variable(2) });
  touchKeys(binary('AND', condition, key), row, [[1], [2]]);
  expect(environment.progress.hasFailed).toBe(hasFailed);
});
