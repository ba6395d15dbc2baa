import { OFFSET_TEXT, type PrimitiveName } from '@svc/query-language';

/**
 * Types of text cells: patterns that JavaScript and the engine interpret alike, and the engine's type that the text must
 * also convert to. Narrowest first: a column has the first type that all its cells have, or is a string.
 */
export const CELL_TYPES = [
  { name: 'long', pattern: '^[ ]*[+-]?[0-9]{1,19}[ ]*$', engineType: 'BIGINT' },
  {
    name: 'double',
    pattern: '^[ ]*([+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?|NaN|nan|[+-]?(Infinity|inf))[ ]*$',
    engineType: 'DOUBLE',
  },
  { name: 'bool', pattern: '^([tT]rue|[fF]alse|TRUE|FALSE)$', engineType: 'BOOLEAN' },
  { name: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', engineType: 'DATE' },
  { name: 'time', pattern: '^([01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?$', engineType: 'TIME' },
  {
    name: 'timestamp',
    pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|${OFFSET_TEXT})?)?$`,
    engineType: 'TIMESTAMPTZ',
  },
] as const satisfies readonly { readonly name: PrimitiveName; readonly pattern: string; readonly engineType: string }[];

/** The patterns of the types as regular expressions. */
export const CELL_TESTS = CELL_TYPES.map(({ name, pattern }) => ({ name, expression: new RegExp(pattern) }));

/** Range of an int. */
export const INT_RANGE = { min: -2_147_483_648n, max: 2_147_483_647n } as const;
