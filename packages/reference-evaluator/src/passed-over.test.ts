import { passedOver } from './passed-over.ts';
import type { Term } from './program/term.ts';

const int = (value: bigint): Term => ({ kind: 'literal', shape: 'int', value });

const binary = (left: Term, operator: '+' | '/' | '=', right: Term): Term =>
  operator === '=' ? { kind: 'binary', shape: 'bool', operator, left, right } : { kind: 'binary', shape: 'int', operator, left, right };

const OVERFLOW = binary(int(2_147_483_647n), '+', int(1n));

const BY_ZERO = binary(int(1n), '/', int(0n));

const verdict = (result: Term, line: string, type: string) => passedOver({ declarations: [], result }, { lines: [line], type });

test('a failure may be passed over where nobody needs the value', () => {
  const isNull: Term = { kind: 'is-null', shape: 'bool', isNegated: false, operand: OVERFLOW };
  expect(verdict(isNull, 'false', 'bool')).toBe('passed-over');
  const same: Term = { kind: 'if', shape: 'int', condition: binary(BY_ZERO, '=', int(1n)), consequent: int(7n), alternate: int(7n) };
  expect(verdict(same, '7', 'int')).toBe('passed-over');
});

test('a wrong value is wrong also where something failed on the way', () => {
  const isNull: Term = { kind: 'is-null', shape: 'bool', isNegated: false, operand: OVERFLOW };
  expect(verdict(isNull, 'true', 'bool')).toBeNull();
  const same: Term = { kind: 'if', shape: 'int', condition: binary(BY_ZERO, '=', int(1n)), consequent: int(7n), alternate: int(7n) };
  expect(verdict(same, '8', 'int')).toBeNull();
});

test('no value stands for one that failed', () => {
  expect(verdict(OVERFLOW, '-2147483648', 'int')).toBeNull();
  expect(verdict(BY_ZERO, 'null', 'int nullable')).toBeNull();
  expect(verdict(binary(BY_ZERO, '=', OVERFLOW), 'false', 'bool')).toBeNull();
  const either: Term = { kind: 'if', shape: 'int', condition: binary(BY_ZERO, '=', int(1n)), consequent: int(7n), alternate: int(8n) };
  expect(verdict(either, '8', 'int')).toBeNull();
});
