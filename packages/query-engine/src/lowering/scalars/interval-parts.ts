import { SQL, type Sql } from '../../sql/sql.ts';

/** The months of an interval, those of its years among them. */
export function intervalMonths(interval: Sql): Sql {
  return SQL`(date_part('year', ${interval}) * 12 + date_part('month', ${interval}))`;
}

/** The microseconds of an interval's time, without its months and days. */
export function intervalMicros(interval: Sql): Sql {
  return SQL`((date_part('hour', ${interval}) * 60 + date_part('minute', ${interval})) * 60000000 + date_part('microsecond', ${interval}))`;
}
