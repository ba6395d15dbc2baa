import { DECIMAL_WIDTH } from '../../representation/duck-type.ts';
import { castTo, SQL, verbatim, type Sql } from '../../sql/sql.ts';
import { letExpression } from '../scalars/let-expression.ts';

/** SQL of a decimal, with its scale. */
export interface ScaledSql {
  readonly sql: Sql;
  readonly scale: number;
}

/**
 * Lowers a function of a decimal of known scale; `places` is its second argument if that is a constant. Undefined: the scale of the
 * result is not known.
 */
type ScaledFunction = (argument: ScaledSql, places: number | undefined) => ScaledSql | undefined;

/** Digits of the widest decimal that the engine calculates with 64 bits. */
const NARROW_WIDTH = 18;
/** Scale up to which most decimals have few enough digits for that. */
const NARROW_SCALE = 9;

/** Rounds with 64 bits where the digits fit, ten times as fast as with 128. */
function roundedTo(places: number, { sql, scale }: ScaledSql, round: (x: Sql) => Sql): ScaledSql {
  const narrow = (x: Sql): Sql =>
    castTo(round(SQL`TRY_CAST(${x} AS DECIMAL(${NARROW_WIDTH},${scale}))`), `DECIMAL(${DECIMAL_WIDTH},${places})`);
  const rounded = scale > NARROW_SCALE ? round(sql) : letExpression([sql], (x) => SQL`coalesce(${narrow(x)}, ${round(x)})`);
  return { sql: rounded, scale: places };
}

/** Rounds to a number of digits after the point. */
function toPlaces(name: 'round' | 'trunc'): ScaledFunction {
  return (argument, places = -1) => {
    if (places < 0) return undefined;
    return places >= argument.scale ? argument : roundedTo(places, argument, (x) => SQL`${verbatim(name)}(${x}, ${places})`);
  };
}

function toWhole(name: 'floor' | 'ceil'): ScaledFunction {
  return (argument) => (argument.scale === 0 ? argument : roundedTo(0, argument, (x) => SQL`${verbatim(name)}(${x})`));
}

/** Functions whose result has as many digits after the point as their argument, or fewer: decimals of few digits are printed faster. */
export const SCALED_FUNCTIONS: Readonly<Record<string, ScaledFunction>> = {
  ABS: ({ sql, scale }) => ({ sql: SQL`abs(${sql})`, scale }),
  ROUND: toPlaces('round'),
  TRUNCATE: toPlaces('trunc'),
  FLOOR: toWhole('floor'),
  CEILING: toWhole('ceil'),
};
