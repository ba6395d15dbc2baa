import type { Plan } from '../plan/plan.ts';
import type { Type } from '../types/type.ts';
import type { ConstantArgument } from './constant-argument.ts';

/** Facts about a function that the check and analyses of plans use; those of `canFail` are in the record itself. */
export interface FunctionFacts {
  /** True if two calls with the same arguments have different results. */
  readonly isVolatile?: true;
  /** True if every call fails, with a message of its own. */
  readonly alwaysFails?: true;
  /**
   * Of a function of collections: the clause (DISTINCT, ORDER BY, LIMIT, OFFSET) or the aggregate that gives the same result of
   * the rows of a SELECT.
   */
  readonly overRows?: string;
  /** Of a window function: the aggregate of a group that is like it, but skips NULL. */
  readonly aggregate?: string;
  /** Which values that are no texts are cast to texts, as by `||`: arguments, or the elements of collections. */
  readonly castsToText?: 'arguments' | 'elements';
  /** True if it asks whether its first argument, a text, begins with its second. */
  readonly asksStart?: true;
  /** True if the result is never NULL. */
  readonly isNeverNull?: true;
  /** True if an aggregate counts rows: its argument may be `*`. */
  readonly countsRows?: true;
  /** Of an aggregate that accepts every value, NULL included: returns the type of the result. */
  readonly resultOfAny?: (value: Type) => Type;
  /** True if the result of an aggregate with OVER is a text of all values. */
  readonly joinsValues?: true;
  /** The function of the same meaning over the elements of a collection. */
  readonly overElements?: string;
  /** True if the result of an aggregate depends on the order of the values. */
  readonly isOrdered?: true;
  /** True if repeated values do not change the result of an aggregate. */
  readonly ignoresRepeated?: true;
  /** True if an aggregate with OVER takes whole partitions only: no ORDER BY and no frame. */
  readonly takesWholePartitions?: true;
  /** True if a window function, like each aggregate with OVER, depends on a frame of rows rather than on the row's position. */
  readonly dependsOnFrame?: true;
  /** True if a window function has one result for all rows that tie. */
  readonly isSameForTies?: true;
  /** True if a window function accepts IGNORE NULLS. */
  readonly acceptsIgnoreNulls?: true;
  /** The argument whose constant value is validated at compile time. */
  readonly constantArgument?: ConstantArgument;
  /** The argument of an aggregate that must be constant with OVER. */
  readonly constantWithOver?: ConstantArgument;
  /** Returns whether a function that cannot fail otherwise may fail for these arguments. */
  readonly canFailFor?: (args: readonly Plan[]) => boolean;
  /** Of a generator: returns the number of elements, characters or copies that it produces; NaN if that is unknown before the run. */
  readonly outputCount?: (args: readonly Plan[]) => number;
  /**
   * How much longer the result may be than the arguments: a factor, or `product` if it repeats the first argument, or the last
   * one for its parts. Without it, the result is about as long as all arguments.
   */
  readonly growth?: number | 'product';
}
