import type { Type } from '@svc/query-language';

import { duckType } from '../../representation/duck-type.ts';
import { castTo, joinSql, NOTHING, numberLiteral, SQL, textLiteral, type Sql } from '../../sql/sql.ts';
import type { FunctionLowering } from '../lowering-types.ts';
import { intervalMonths } from '../scalars/interval-parts.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { direct, guarded, limitedOutput, quotedStart, typed, typeName, whenPresent } from './function-parts.ts';

const TIME_UNITS = ['hour', 'minute', 'second'];
const UNITS = ['year', 'quarter', 'month', 'week', 'day', ...TIME_UNITS];

/** A part of a moment or of an interval, by the engine's name. */
const part = (name: string): FunctionLowering => typed((t) => SQL`date_part(${textLiteral(name)}, ${t})`);

/** Converts a TIME to a TIMESTAMP, for the engine's functions on moments. */
function asMoment(type: Type, t: Sql): Sql {
  return typeName(type) === 'time' ? SQL`(DATE '1970-01-01' + ${t})` : t;
}

/** Truncates to a unit; the type is kept. */
const truncate: FunctionLowering = (args, call) => {
  const [unit, moment] = args;
  if (unit === undefined || moment === undefined) throw new Error('TRUNC needs a unit and a moment.');
  const cut = (u: Sql): Sql => castTo(SQL`date_trunc(${u}, ${asMoment(moment.type, moment.sql)})`, duckType(call.type));
  // The checker has verified that a constant is a unit.
  if (typeof unit.constant === 'string') return cut(textLiteral(unit.constant));
  const units = typeName(moment.type) === 'time' ? TIME_UNITS : UNITS;
  return letExpression([unit.sql, moment.sql], (u, t) => {
    const fail = call.raiseText(
      SQL`concat(${quotedStart(u)}, ${textLiteral(` is no unit of time: expected ${units.join(', ')}`)})`,
      call.type,
    );
    const truncated = SQL`date_trunc(lower(${u}), ${asMoment(moment.type, t)})`;
    return whenPresent(
      args,
      [u, t],
      SQL`CASE WHEN lower(${u}) IN (${joinSql(units.map(textLiteral))}) THEN ${castTo(truncated, duckType(call.type))} ELSE ${fail} END`,
    );
  });
};

/** Returns the start of the bucket: of months only, or of days and time. */
const timeBucket: FunctionLowering = (args, call) =>
  guarded((_, width, moment) => {
    const type = args[1]?.type ?? call.type;
    const origin = typeName(type) === 'time' ? SQL`, TIMESTAMP '1970-01-01'` : NOTHING;
    return SQL`CASE WHEN ${width} <= to_days(0) THEN ${call.raise('a bucket must be longer than nothing', call.type)}
      WHEN ${intervalMonths(width)} <> 0 AND ${width} <> to_months(CAST(${intervalMonths(width)} AS INTEGER)) THEN ${call.raise('a bucket is of months or of days and time, not of both', call.type)}
      ELSE ${castTo(SQL`time_bucket(${width}, ${asMoment(type, moment)}${origin})`, duckType(call.type))} END`;
  })(args, call);

/** Years start at 1, as in literals. */
const dateOf = (y: Sql, m: Sql, d: Sql): Sql => SQL`CASE WHEN ${y} >= 1 THEN TRY(make_date(${y}, ${m}, ${d})) END`;

/** Returns hours, minutes, seconds and milliseconds as an interval; NULL if one is out of range. */
function clock(h: Sql, m: Sql, s: Sql, ms: Sql): Sql {
  const inRange = SQL`${h} BETWEEN 0 AND 23 AND ${m} BETWEEN 0 AND 59 AND ${s} BETWEEN 0 AND 59 AND ${ms} BETWEEN 0 AND 999`;
  return SQL`CASE WHEN ${inRange} THEN to_microseconds(((CAST(${h} AS BIGINT) * 60 + ${m}) * 60 + ${s}) * 1000000 + CAST(${ms} AS BIGINT) * 1000) END`;
}

function build(kind: string, value: (parts: readonly Sql[]) => Sql): FunctionLowering {
  return guarded((call, ...parts) => {
    const text = joinSql(
      parts.map((p) => castTo(p, 'VARCHAR')),
      ", ', ', ",
    );
    const fail = call.raiseText(SQL`concat(${textLiteral(`there is no ${kind} of `)}, ${text})`, call.type);
    return SQL`coalesce(${value(parts)}, ${fail})`;
  });
}

const partAt = (parts: readonly Sql[], i: number): Sql => parts[i] ?? numberLiteral(0);

const buildInterval = guarded((call, ...p) => {
  const long = (i: number): Sql => castTo(partAt(p, i), 'BIGINT');
  const toMonths = call.castLine(castTo(SQL`${long(0)} * 12 + ${long(1)}`, 'INTEGER'));
  const toDays = call.castLine(castTo(SQL`${long(2)} * 7 + ${long(3)}`, 'INTEGER'));
  return SQL`(to_months(${toMonths}) + to_days(${toDays}) + to_microseconds(((${long(4)} * 60 + ${long(5)}) * 60 + ${long(6)}) * 1000000 + ${long(7)} * 1000))`;
});

/**
 * Returns the moments from a first one up to a last one, exclusive. Steps of months are added to the first each time, so
 * that the 31st stays the 31st where there is one.
 */
const moments: FunctionLowering = guarded((call, from, to, step) => {
  // The shortest that a step can be: it bounds the number of moments.
  const least = SQL`(${intervalMonths(step)} * 28 * 86400000000 + date_part('day', ${step}) * 86400000000 + epoch_us(${step} - to_months(CAST(${intervalMonths(step)} AS INTEGER)) - to_days(CAST(date_part('day', ${step}) AS INTEGER))))`;
  return letExpression([least, SQL`CAST(epoch_us(${to}) AS HUGEINT) - epoch_us(${from})`], (micros, span) => {
    const count = SQL`CASE WHEN ${micros} = 0 OR (${span} > 0) <> (${micros} > 0) THEN 0 ELSE ${span} // ${micros} + 1 END`;
    return letExpression([count], (n) => {
      const made = transformList(SQL`range(CAST(${n} AS BIGINT))`, (i) => SQL`${from} + ${step} * ${i}`);
      const kept = SQL`list_filter(${made}, lambda moment_1: CASE WHEN ${micros} > 0 THEN moment_1 < ${to} ELSE moment_1 > ${to} END)`;
      const limited = limitedOutput(call, 'elements', (most) => SQL`${n} > ${most}`, kept);
      return SQL`CASE WHEN ${micros} = 0 THEN ${call.raise('a step must not be zero', call.type)} ELSE ${limited} END`;
    });
  });
});

/** Makes the step unknown at planning: see MAX_FOLDED. A lambda would not hide it; TRY allows no such expression. */
const timestampRange: FunctionLowering = (args, call) =>
  moments(
    args.map((arg, i) =>
      i === 2 && !call.isInTry ? { ...arg, sql: SQL`${arg.sql} + to_microseconds(CAST(random() AS BIGINT) * 0)` } : arg,
    ),
    call,
  );

/** The engine's timestamps are microseconds in 64 bits. */
/** Converts integer seconds and their fraction separately: both are exact, and the product of large seconds with a million is not. */
const fromEpoch: FunctionLowering = guarded((call, seconds) => {
  const micros = SQL`CAST(floor(${seconds}) AS BIGINT) * 1000000 + CAST(round((${seconds} - floor(${seconds})) * 1000000) AS BIGINT)`;
  const fail = call.raiseText(SQL`concat('there is no timestamp ', ${seconds}, ' seconds after 1970')`, call.type);
  return SQL`CASE WHEN ${seconds} >= -9223372022400 AND ${seconds} < 9223372036854 THEN make_timestamp(${micros}) ELSE ${fail} END`;
});

/** Dates, times, timestamps and intervals. NOW, TODAY are parameters of the plan. */
export const TEMPORAL_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  YEAR: part('year'),
  MONTH: part('month'),
  DAY: part('day'),
  HOUR: part('hour'),
  MINUTE: part('minute'),
  SECOND: part('second'),
  MILLIS: typed((t) => SQL`(date_part('millisecond', ${t}) % 1000)`),
  DAY_OF_WEEK: part('isodow'),
  WEEK: part('week'),
  DAY_OF_YEAR: part('dayofyear'),
  QUARTER: part('quarter'),
  TRUNC: truncate,
  TIME_BUCKET: timeBucket,
  DATE_BUILD: build('date', (p) => dateOf(partAt(p, 0), partAt(p, 1), partAt(p, 2))),
  TIME_BUILD: build('time', (p) => SQL`(TIME '00:00:00' + ${clock(partAt(p, 0), partAt(p, 1), partAt(p, 2), partAt(p, 3))})`),
  TIMESTAMP_BUILD: build(
    'timestamp',
    (p) => SQL`((${dateOf(partAt(p, 0), partAt(p, 1), partAt(p, 2))}) + ${clock(partAt(p, 3), partAt(p, 4), partAt(p, 5), partAt(p, 6))})`,
  ),
  INTERVAL_BUILD: buildInterval,
  TO_EPOCH: direct((t) => SQL`epoch(${t})`),
  FROM_EPOCH: fromEpoch,
  LAST_DAY: direct((t) => SQL`last_day(${t})`),
  AGE: direct((a, b) => SQL`age(CAST(${a} AS TIMESTAMP), CAST(${b} AS TIMESTAMP))`),
  TIMESTAMP_RANGE: timestampRange,
};
