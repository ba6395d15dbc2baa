import type { Term } from '../program/term.ts';
import type { Scalar, Shape } from '../values/shape.ts';
import { intervalOf } from '../values/temporal.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';

/** The types of moments and lengths of time. */
export type Temporal = 'date' | 'time' | 'timestamp' | 'interval';

/** Functions that return a field of a moment. */
export const PARTS: readonly (readonly [name: string, parameters: readonly Shape[]])[] = [
  ...(['YEAR', 'MONTH', 'DAY', 'QUARTER', 'DAY_OF_WEEK', 'DAY_OF_YEAR', 'WEEK'] as const).flatMap((name) =>
    (['date', 'timestamp'] as const).map((shape) => [name, [shape]] as const),
  ),
  ...(['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const).map((name) => [name, ['interval']] as const),
  ...(['HOUR', 'MINUTE', 'SECOND', 'MILLIS'] as const).flatMap((name) =>
    (['time', 'timestamp'] as const).map((shape) => [name, [shape]] as const),
  ),
];

const READ = ['29/02/2000', '31/01/2001', '29/02/2001', '1/1/2001', 'a'] as const;

/** Generates arithmetic, casts and functions that return a date, a time, a timestamp or an interval. */
export function temporalOf(generator: Generator, shape: Temporal, make: (of: Shape) => Term): Term {
  const binary = (operator: '+' | '-' | '*', left: Term, right: Term): Term => ({ kind: 'binary', shape, operator, left, right });
  const call = (name: string, ...args: readonly Term[]): Term => ({ kind: 'call', shape, name, arguments: args });
  const cast = (from: Scalar): Term => ({ kind: 'cast', shape, operand: make(from), isTry: generator.tape.chance(30) });
  const unit: Term = { kind: 'literal', shape: 'string', value: pick(generator, ['month', 'year', 'day', 'week', 'quarter', 'hour']) };
  const whole = (...values: readonly bigint[]): Term => ({ kind: 'literal', shape: 'int', value: pick(generator, values) });
  const width = (...texts: readonly string[]): Term => ({ kind: 'literal', shape: 'interval', value: intervalOf(pick(generator, texts)) });
  const day = (): readonly Term[] => [whole(2001n, 2000n, 1999n), whole(1n, 2n, 12n, 13n), whole(1n, 28n, 29n, 31n)];
  const rest = (left: Term): Term => ({ kind: 'binary', shape: 'int', operator: '%', left, right: whole(100n) });
  const part = (): Term => (generator.tape.chance(30) ? rest(make('int')) : whole(1n, 0n, 2n, -1n));
  const texts: Term = { kind: 'literal', shape: 'string', value: pick(generator, READ) };
  const template = (text: string): Term => ({ kind: 'literal', shape: 'string', value: text });
  const moved = (from: Scalar): Term => {
    const [moment, interval] = [make(from), make('interval')];
    return generator.tape.chance(20) ? binary('+', interval, moment) : binary(pick(generator, ['+', '-']), moment, interval);
  };
  const between = (of: Scalar): Term => binary('-', make(of), make(of));
  // Larger factors might yield a date out of range.
  const factor: Term = { kind: 'literal', shape: 'int', value: pick(generator, [2n, -1n, 0n, 3n]) };
  const multiplied = (): Term =>
    generator.tape.chance(30) ? binary('*', factor, make('interval')) : binary('*', make('interval'), factor);
  const choices: Readonly<Record<Temporal, readonly (() => Term)[]>> = {
    date: [
      () => cast('timestamp'),
      () => call('LAST_DAY', make('date')),
      () => call('TRUNC', unit, make('date')),
      () => call('DATE_BUILD', ...day()),
      () => call('TIME_BUCKET', width('P1M', 'P3M', 'P1Y', 'P1D'), make('date')),
      () => call('TO_DATE', texts, template('dd/MM/yyyy')),
    ],
    time: [
      () => cast('timestamp'),
      () => moved('time'),
      () => moved('time'),
      () => call('TIME_BUILD', whole(1n, 23n, 24n), whole(5n, 59n), whole(0n, 7n, 60n)),
      () => call('TIME_BUCKET', width('PT15M', 'PT1H'), make('time')),
    ],
    timestamp: [
      () => moved('date'),
      () => moved('timestamp'),
      () => cast('date'),
      () => call('TRUNC', unit, make('timestamp')),
      () => call('TIMESTAMP_BUILD', ...day(), whole(5n, 23n)),
      () => call('TIME_BUCKET', width('PT15M', 'PT1H', 'P1D', 'P1M', 'P1Y'), make('timestamp')),
      () => call('FROM_EPOCH', generator.tape.chance(50) ? make('double') : make('int')),
      () => call('TO_TIMESTAMP', texts, template('dd/MM/yyyy')),
    ],
    interval: [
      () => between('date'),
      () => between('timestamp'),
      multiplied,
      () => binary(pick(generator, ['+', '-']), make('interval'), make('interval')),
      () => call(pick(generator, ['CSUM', 'CAVG']), make({ kind: 'collection', element: 'interval' })),
      () => call('AGE', make('timestamp'), make('timestamp')),
      () => call('INTERVAL_BUILD', ...Array.from({ length: 1 + generator.tape.choose(6) }, part)),
      () => ({ kind: 'unary', shape, operator: '-', operand: make('interval') }),
    ],
  };
  return pick(generator, choices[shape])();
}
