import { holdsInterval } from '../../analysis/holds-primitive.ts';
import { memberOf, NOTHING, SQL, type Sql } from '../../sql/sql.ts';
import type { AggregateLowering, AggregateRows, CallContext } from '../lowering-types.ts';
import { intervalMicros, intervalMonths } from '../scalars/interval-parts.ts';
import { letExpression, transformList } from '../scalars/let-expression.ts';
import { first, unordered } from './aggregate-forms.ts';
import { distinctElements } from './distinct-elements.ts';

/** The totals of the parts of intervals, each NULL for no intervals. */
interface Totals {
  readonly months: Sql;
  readonly days: Sql;
  readonly micros: Sql;
  /** The number of intervals that are not NULL. */
  readonly count: Sql;
}

/** Makes an interval of totals. */
type FromTotals = (totals: Totals, call: Pick<CallContext, 'type' | 'raise'>) => Sql;

/** An aggregate that makes an interval of the totals of intervals, and lowers other values otherwise. */
export function ofIntervals(from: FromTotals, others: AggregateLowering): AggregateLowering {
  return unordered(
    (args, rows, call) => (holdsInterval(call.type) ? ofRows(first(args), rows, call, from) : others.overRows(args, rows, call)),
    (list, args, call) => (holdsInterval(call.type) ? ofList(list, call, from) : others.overList(list, args, call)),
  );
}

function ofRows(value: Sql, rows: AggregateRows, call: CallContext, from: FromTotals): Sql {
  if (rows.distinct !== NOTHING) return ofList(distinctIntervals(value, rows, call), call, from);
  const sum = (part: (x: Sql) => Sql): Sql => SQL`sum(${part(value)})${rows.suffix}`;
  return from({ ...totalsBy(sum), count: SQL`count(${value})${rows.suffix}` }, call);
}

/** Returns one interval of each length, the same one however the rows are read, as among the elements of a list. */
function distinctIntervals(value: Sql, { suffix }: AggregateRows, { type }: CallContext): Sql {
  const apart = SQL`struct_pack(m := ${intervalMonths(value)}, d := date_part('day', ${value}), v := ${value})`;
  const values = transformList(SQL`list(DISTINCT ${apart})${suffix}`, (e) => memberOf(e, 'v'));
  return letExpression([values], (all) => distinctElements(all, type, 'values'));
}

function ofList(list: Sql, call: CallContext, from: FromTotals): Sql {
  return letExpression([list], (all) => {
    const sum = (part: (x: Sql) => Sql): Sql => SQL`list_aggregate(${transformList(all, part)}, 'sum')`;
    return from({ ...totalsBy(sum), count: SQL`list_count(${all})` }, call);
  });
}

/** The sum: of months, of days and of time. */
export const intervalSum: FromTotals = ({ months, days, micros }, call) =>
  letExpression([months, days, micros], (m, d, u) => interval([m, d, u], call));

/**
 * The mean: parts of months count as days, 30 a month, and parts of days as time, to the microsecond, of two the even one. The
 * engine's own rounds up, and fails for a sum that is out of range.
 */
export const intervalMean: FromTotals = ({ months, days, micros, count }, call) =>
  letExpression([months, days, micros, count], (m, d, u, n) => {
    const daysOfMonths = SQL`(${m} % ${n} * 30)`;
    const restOfDays = SQL`(${d} % ${n} + ${daysOfMonths} % ${n})`;
    const time = SQL`(${u} + ${restOfDays} % ${n} * 86400000000)`;
    const wholeDays = SQL`(${d} // ${n} + ${daysOfMonths} // ${n} + ${restOfDays} // ${n})`;
    return letExpression([SQL`${m} // ${n}`, wholeDays, time], (wholeMonths, allDays, t) =>
      letExpression([roundedQuotient(t, n)], (rounded) => interval([wholeMonths, allDays, rounded], call)),
    );
  });

function totalsBy(sum: (part: (x: Sql) => Sql) => Sql): Omit<Totals, 'count'> {
  return { months: sum(intervalMonths), days: sum((x) => SQL`date_part('day', ${x})`), micros: sum(intervalMicros) };
}

/** Rounds a quotient of integers, of two integers as close to the even one. */
function roundedQuotient(x: Sql, n: Sql): Sql {
  const isFarther = SQL`2 * abs(${x} % ${n}) > ${n} OR (2 * abs(${x} % ${n}) = ${n} AND ${x} // ${n} % 2 <> 0)`;
  return SQL`(${x} // ${n} + CASE WHEN ${isFarther} THEN sign(${x}) ELSE 0 END)`;
}

/** Builds an interval of parts that are in its range: 32, 32 and 64 bits. */
function interval([months, days, micros]: readonly [Sql, Sql, Sql], { type, raise }: Pick<CallContext, 'type' | 'raise'>): Sql {
  const isOut = SQL`${months} NOT BETWEEN -2147483648 AND 2147483647 OR ${days} NOT BETWEEN -2147483648 AND 2147483647
    OR ${micros} NOT BETWEEN -9223372036854775808 AND 9223372036854775807`;
  return SQL`CASE WHEN ${isOut} THEN ${raise('date or time out of range', type)}
    ELSE to_months(CAST(${months} AS INTEGER)) + to_days(CAST(${days} AS INTEGER)) + to_microseconds(CAST(${micros} AS BIGINT)) END`;
}
