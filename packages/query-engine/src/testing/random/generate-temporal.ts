import type { Generator } from './generate-scope.ts';
import { pick } from './generate-scope.ts';
import type { Scalar, Shape } from './shape.ts';
import type { Term } from './term.ts';

export type Temporal = 'date' | 'time' | 'timestamp' | 'interval';

/** Functions that give a part of a moment. */
export const PARTS: readonly (readonly [name: string, parameters: readonly Shape[]])[] = [
  ...(['YEAR', 'MONTH', 'DAY', 'QUARTER', 'DAY_OF_WEEK', 'DAY_OF_YEAR'] as const).flatMap((name) =>
    (['date', 'timestamp'] as const).map((shape) => [name, [shape]] as const),
  ),
  ...(['HOUR', 'MINUTE', 'SECOND', 'MILLIS'] as const).flatMap((name) =>
    (['time', 'timestamp'] as const).map((shape) => [name, [shape]] as const),
  ),
];

/** Arithmetic, casts and functions that give a date, a time, a timestamp or an interval. */
export function temporalOf(generator: Generator, shape: Temporal, make: (of: Scalar) => Term): Term {
  const binary = (operator: '+' | '-' | '*', left: Term, right: Term): Term => ({ kind: 'binary', shape, operator, left, right });
  const call = (name: string, ...args: readonly Term[]): Term => ({ kind: 'call', shape, name, arguments: args });
  const cast = (from: Scalar): Term => ({ kind: 'cast', shape, operand: make(from), isTry: generator.tape.chance(30) });
  const unit: Term = { kind: 'literal', shape: 'string', value: pick(generator, ['month', 'year', 'day']) };
  const moved = (from: Scalar): Term => {
    const [moment, interval] = [make(from), make('interval')];
    return generator.tape.chance(20) ? binary('+', interval, moment) : binary(pick(generator, ['+', '-']), moment, interval);
  };
  const between = (of: Scalar): Term => binary('-', make(of), make(of));
  // Of more than a few years there might be a date that is none.
  const factor: Term = { kind: 'literal', shape: 'int', value: pick(generator, [2n, -1n, 0n, 3n]) };
  const multiplied = (): Term =>
    generator.tape.chance(30) ? binary('*', factor, make('interval')) : binary('*', make('interval'), factor);
  const choices: Readonly<Record<Temporal, readonly (() => Term)[]>> = {
    date: [() => cast('timestamp'), () => call('LAST_DAY', make('date')), () => call('TRUNC', unit, make('date'))],
    time: [() => cast('timestamp'), () => moved('time'), () => moved('time')],
    timestamp: [() => moved('date'), () => moved('timestamp'), () => cast('date'), () => call('TRUNC', unit, make('timestamp'))],
    interval: [
      () => between('date'),
      () => between('timestamp'),
      multiplied,
      () => binary(pick(generator, ['+', '-']), make('interval'), make('interval')),
      () => ({ kind: 'unary', shape, operator: '-', operand: make('interval') }),
    ],
  };
  return pick(generator, choices[shape])();
}
