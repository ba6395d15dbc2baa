import type { ScanCondition, ScanConstant, ScanOperator } from '@svc/pg-rows';

import { mayHold } from './may-hold.ts';
import type { ColumnBounds, RowGroup } from './row-groups.ts';

function aGroup(bounds: Partial<ColumnBounds>): RowGroup {
  return { rows: 10, columns: new Map([[0, { kind: 'integer', min: null, max: null, nulls: null, values: 10, ...bounds }]]) };
}

function holds(bounds: Partial<ColumnBounds>, condition: ScanCondition): boolean {
  return mayHold(aGroup(bounds), [condition], () => 0);
}

const compare = (operator: ScanOperator, text: string, type: ScanConstant['type'] = 'int'): ScanCondition => ({
  kind: 'compare',
  field: 0,
  operator,
  value: '',
  constant: { type, text },
});

const TO_20 = { min: 10n, max: 20n };
test.each<[ScanOperator, readonly string[], readonly string[]]>([
  ['=', ['10', '15', '20'], ['9', '21', '-15']],
  ['<', ['11', '99'], ['10', '9']],
  ['<=', ['10', '11'], ['9']],
  ['>', ['19', '-99'], ['20', '21']],
  ['>=', ['20', '19'], ['21']],
  ['<>', ['10', '15', '99'], []],
])('values from 10 to 20 may be %s %j, and none of %j', (operator, possible, impossible) => {
  expect(possible.filter((value) => !holds(TO_20, compare(operator, value)))).toEqual([]);
  expect(impossible.filter((value) => holds(TO_20, compare(operator, value)))).toEqual([]);
});

test('a value in a list may be there where one of them may', () => {
  const within = (...texts: readonly string[]): ScanCondition => ({
    kind: 'in',
    field: 0,
    values: [],
    constants: texts.map((text) => ({ type: 'int', text })),
  });
  expect([holds(TO_20, within('1', '15')), holds(TO_20, within('1', '99')), holds(TO_20, within())]).toEqual([true, false, false]);
});

test('one of several conditions may be met where it may', () => {
  const any = (...texts: readonly string[]): ScanCondition => ({ kind: 'any', alternatives: texts.map((text) => [compare('=', text)]) });
  expect([holds(TO_20, any('1', '15')), holds(TO_20, any('1', '99'))]).toEqual([true, false]);
  const both: ScanCondition = { kind: 'any', alternatives: [[compare('=', '15'), compare('=', '99')], [any('1', '30')]] };
  expect(holds(TO_20, both)).toBe(false);
});

test('where nothing is known of a column, or its bounds are of another kind, any value may be there', () => {
  const one = compare('=', '1');
  expect([holds({}, one), mayHold(aGroup(TO_20), [one], () => 1), mayHold(aGroup(TO_20), [one], () => null)]).toEqual([true, true, true]);
  expect(holds(TO_20, compare('=', '1', 'string'))).toBe(true);
  expect(holds(TO_20, compare('=', '1.5', 'decimal'))).toBe(true);
  expect(holds({ kind: 'date', ...TO_20 }, compare('=', '1'))).toBe(true);
});

test('NULL meets no comparison, and is there where it was counted', () => {
  const [allNull, noNull] = [{ nulls: 10 }, { nulls: 0, ...TO_20 }];
  const isNull = (yes: boolean): ScanCondition => ({ kind: 'null', field: 0, isNull: yes });
  expect([holds(allNull, compare('<>', '1')), holds(allNull, isNull(true)), holds(allNull, isNull(false))]).toEqual([false, true, false]);
  expect([holds(noNull, isNull(true)), holds(noNull, isNull(false)), holds({}, isNull(true)), holds({}, isNull(false))]).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test('dates compare by days and timestamps by microseconds', () => {
  const day = { kind: 'date', min: 19_782n, max: 19_783n } as const; // 2024-02-29 and the day after
  expect(['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'].map((text) => holds(day, compare('=', text, 'date')))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const noon = { kind: 'timestamp', min: 43_200_000_000n, max: 43_200_000_001n } as const;
  const at = ['1970-01-01 11:59:59.999999', '1970-01-01 12:00:00', '1970-01-01 12:00:00.000001', '1970-01-01 12:00:00.000002'];
  expect(at.map((text) => holds(noon, compare('=', text, 'timestamp')))).toEqual([false, true, true, false]);
  expect(holds(noon, compare('=', 'infinity', 'timestamp'))).toBe(true);
});

test('texts compare by their bytes, and a maximum that was cut leaves room above it', () => {
  const texts = { kind: 'string', min: Buffer.from('Zoe'), max: Buffer.from('abc') } as const;
  const found = ['Yves', 'Zoe', 'aaa', 'abc', 'abcd', 'abd', 'é'].map((text) => holds(texts, compare('=', text, 'string')));
  expect(found).toEqual([false, true, true, true, true, false, false]);
  expect([holds(texts, compare('>', 'abc', 'string')), holds(texts, compare('>', 'abcd', 'string'))]).toEqual([false, true]);
});
