import { anyType, bool, collectionOf, decimal, double, int, long, nullable, recordOf, string, type Type } from '@svc/query-language';

import { checkFunctions, s, l, e, list } from '../../testing/function-cases.ts';

const kv = (value: Type): Type =>
  collectionOf(
    recordOf([
      { name: 'key', type: string },
      { name: 'value', type: value },
    ]),
  );

checkFunctions([
  ['CCOUNT', [list('[1, NULL, 2]', nullable(int))], long, '2'],
  ['CCOUNT', [list('[]', int)], long, '0'],
  ['CSUM', [list('[1, 2, NULL]', nullable(int))], nullable(long), '3'],
  ['CSUM', [list('[]', anyType)], nullable(long), 'NULL'],
  ['CSUM', [list('[9223372036854775807, 1]', long)], nullable(long), '! integer overflow'],
  ['CSUM', [list('[1.5, 2.25]', decimal)], nullable(decimal), '3.750000000000000000'],
  ['CSUM', [list('[1.5]', double)], nullable(double), '1.5'],
  ['CAVG', [list('[1, 2, NULL]', nullable(double))], nullable(double), '1.5'],
  ['CAVG', [list('[]', double)], nullable(double), 'NULL'],
  ['CAVG', [list('[1, 2, 2]', decimal)], nullable(decimal), '1.666666666666666667'],
  ['CAVG', [list('[]', decimal)], nullable(decimal), 'NULL'],
  ['CMIN', [list('[2, NULL, 1]', nullable(int))], nullable(int), '1'],
  ['CMAX', [list("['a', 'b']", string)], nullable(string), 'b'],
  ['CFIRST', [list('[NULL, 5, 6]', nullable(int))], nullable(int), '5'],
  ['CLAST', [list('[5, 6, NULL]', nullable(int))], nullable(int), '6'],
  ['CFIRST', [list('[]', int)], nullable(int), 'NULL'],
  ['DISTINCT', [list('[2, 1, 2]', int)], collectionOf(int), '[1, 2]'],
  ['DISTINCT', [list('[2, NULL, 2, NULL]', nullable(int))], collectionOf(nullable(int)), '[NULL, 2]'],
  ['DISTINCT', [list('NULL', int)], nullable(collectionOf(int)), 'NULL'],
  ['DISTINCT', [list('NULL', nullable(int))], nullable(collectionOf(nullable(int))), 'NULL'],
  ['SORT', [list('NULL', int)], nullable(collectionOf(int)), 'NULL'],
  ['FLATTEN', [list('NULL', collectionOf(int))], nullable(collectionOf(int)), 'NULL'],
  ['EXISTS', [list('[]', int)], bool, 'false'],
  ['EXISTS', [list('[1]', int)], bool, 'true'],
  ['EXISTS', [list('NULL', int)], nullable(bool), 'NULL'],
  ['GET', [list('[5, 6]', int), l(1)], nullable(int), '6'],
  ['GET', [list('[5, 6]', int), l(-1)], nullable(int), 'NULL'],
  ['GET', [list('[5, 6]', int), l('9223372036854775807')], nullable(int), 'NULL'],
  ['TAKE', [list('[1, 2, 3]', int), l(2)], collectionOf(int), '[1, 2]'],
  ['TAKE', [list('[1, 2, 3]', int), l(-2)], collectionOf(int), '[]'],
  ['TAKE', [list('[1]', int), l('9223372036854775807')], collectionOf(int), '[1]'],
  ['DROP', [list('[1, 2, 3]', int), l(2)], collectionOf(int), '[3]'],
  ['DROP', [list('[1, 2]', int), l(-2)], collectionOf(int), '[1, 2]'],
  ['DROP', [list('[1, 2]', int), l('9223372036854775807')], collectionOf(int), '[]'],
  ['DROP', [list('NULL', int), l(1)], nullable(collectionOf(int)), 'NULL'],
  ['FLATTEN', [list('[[1], [2, 3]]', collectionOf(int))], collectionOf(int), '[1, 2, 3]'],
  ['SORT', [list('[2, NULL, 1]', nullable(int))], collectionOf(nullable(int)), '[NULL, 1, 2]'],
  ['RANGE', [l(0), l(3), l(1)], collectionOf(long), '[0, 1, 2]'],
  ['RANGE', [l(5), l(0), l(-2)], collectionOf(long), '[5, 3, 1]'],
  ['RANGE', [l(5), l(0), l(1)], collectionOf(long), '[]'],
  ['RANGE', [l(0), l(3), l(0)], collectionOf(long), '! a step must not be zero'],
  [
    'RANGE',
    [l('-9223372036854775808'), l('9223372036854775807'), l(1)],
    collectionOf(long),
    '! RANGE would make more than 10000000 elements',
  ],
  ['RANGE', [l(0), l(10_000_001), l(1)], collectionOf(long), '! RANGE would make more than 10000000 elements'],
  ['RANGE', [e('CAST(NULL AS BIGINT)', nullable(long)), l(3), l(1)], nullable(collectionOf(long)), 'NULL'],
  [
    'ZIP',
    [list('[1, 2]', int), list("['a']", string)],
    collectionOf(
      recordOf([
        { name: '_1', type: int },
        { name: '_2', type: string },
      ]),
    ),
    "[{'_1': 1, '_2': a}]",
  ],
  [
    'ENTRIES',
    [
      e(
        "{'a': 1, 'A_2': CAST(2 AS BIGINT)}",
        recordOf([
          { name: 'a', type: int },
          { name: 'A', type: long },
        ]),
      ),
    ],
    kv(long),
    "[{'key': a, 'value': 1}, {'key': A, 'value': 2}]",
  ],
  [
    'ENTRIES',
    [e(`'{"x/y": null, "b": [1]}'::JSON`, anyType)],
    kv(nullable(anyType)),
    "[{'key': x/y, 'value': NULL}, {'key': b, 'value': '[1]'}]",
  ],
  ['ENTRIES', [e("'[1]'::JSON", anyType)], kv(nullable(anyType)), '[]'],
  [
    'FIELDS',
    [
      e(
        "{'a': 1, 'A_2': 2}",
        recordOf([
          { name: 'a', type: int },
          { name: 'A', type: int },
        ]),
      ),
    ],
    collectionOf(string),
    '[a, A]',
  ],
  ['ERROR', [s('it broke')], nullable(anyType), '! it broke'],
]);
