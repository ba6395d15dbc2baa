/** SQL that prints an interval `$x` with its three parts separate. */
export const INTERVAL_CELL = [
  'CASE WHEN $x IS NOT NULL THEN concat(',
  "(extract(year FROM $x) * 12 + extract(month FROM $x))::bigint, ' months ', ",
  "extract(day FROM $x)::bigint, ' days ', ",
  'extract(hour FROM $x)::bigint * 3600000000 + extract(minute FROM $x)::bigint * 60000000 + extract(microseconds FROM $x)::bigint, ',
  "' microseconds') END",
].join('');
