import { SQL, type Sql } from '../../sql/sql.ts';

/** The months of an interval, those of its years among them. */
export function intervalMonths(interval: Sql): Sql {
  return SQL`(datepart('year', ${interval}) * 12 + datepart('month', ${interval}))`;
}

/** The microseconds of an interval's time, without its months and days. */
export function intervalMicros(interval: Sql): Sql {
  return SQL`((datepart('hour', ${interval}) * 60 + datepart('minute', ${interval})) * 60000000 + datepart('microsecond', ${interval}))`;
}
