import { SQL, verbatim, type Sql } from '../../sql/sql.ts';

/** SQL of a decimal, with its scale. */
export interface ScaledSql {
  readonly sql: Sql;
  readonly scale: number;
}

/** Lowers a function of a decimal; `places` is its second argument if that is a constant. Undefined: the scale of the result is not known. */
type ScaledFunction = (argument: ScaledSql, places: number | undefined) => ScaledSql | undefined;

const rounded =
  (name: 'round' | 'trunc'): ScaledFunction =>
  (argument, places = -1) => {
    if (places < 0) return undefined;
    return places >= argument.scale ? argument : { sql: SQL`${verbatim(name)}(${argument.sql}, ${places})`, scale: places };
  };

/** Functions whose result has as many digits after the point as their argument, or fewer: decimals of few digits are printed faster. */
export const SCALED_FUNCTIONS: Readonly<Record<string, ScaledFunction>> = {
  ABS: ({ sql, scale }) => ({ sql: SQL`abs(${sql})`, scale }),
  ROUND: rounded('round'),
  TRUNCATE: rounded('trunc'),
};
