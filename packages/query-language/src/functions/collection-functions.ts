import { defineFamily } from './define-function.ts';

const C_AGGREGATE = 'NULLs are left out; NULL of nothing';

/** Functions on collections. Those of kind special are expanded by the checker, since they take functions. */
export const COLLECTION_FUNCTIONS = defineFamily('collection', [
  {
    name: 'CCOUNT',
    summary: 'How many elements are not NULL.',
    signatures: ['(collection: collection(T)) -> long'],
    examples: [['CCOUNT([1, NULL, 2])', '2']],
  },
  {
    name: 'CSUM',
    summary: 'The sum of the elements.',
    nulls: C_AGGREGATE,
    signatures: [
      '(collection: collection(I)) -> long nullable',
      '(collection: collection(decimal nullable)) -> decimal nullable',
      '(collection: collection(double nullable)) -> double nullable',
    ],
    examples: [
      ['CSUM([1, 2, NULL])', '3'],
      ['CSUM([])', 'null'],
    ],
  },
  {
    name: 'CMIN',
    summary: 'The least element.',
    nulls: C_AGGREGATE,
    signatures: ['(collection: collection(K)) -> K nullable'],
    examples: [['CMIN([2, 1])', '1']],
  },
  {
    name: 'CMAX',
    summary: 'The greatest element.',
    nulls: C_AGGREGATE,
    signatures: ['(collection: collection(K)) -> K nullable'],
    examples: [['CMAX([2, 1])', '2']],
  },
  {
    name: 'CAVG',
    summary: 'The mean of the elements.',
    nulls: C_AGGREGATE,
    signatures: [
      '(collection: collection(I)) -> double nullable',
      '(collection: collection(decimal nullable)) -> decimal nullable',
      '(collection: collection(double nullable)) -> double nullable',
    ],
    examples: [['CAVG([1, 2, NULL])', '1.5']],
  },
  {
    name: 'CFIRST',
    summary: 'The first element that is not NULL.',
    nulls: C_AGGREGATE,
    signatures: ['(collection: collection(T)) -> T nullable'],
    examples: [['CFIRST([NULL, 5, 6])', '5']],
  },
  {
    name: 'CLAST',
    summary: 'The last element that is not NULL.',
    nulls: C_AGGREGATE,
    signatures: ['(collection: collection(T)) -> T nullable'],
    examples: [['CLAST([5, 6, NULL])', '6']],
  },
  {
    name: 'DISTINCT',
    summary: 'The different elements, in ascending order.',
    signatures: ['(collection: collection(K)) -> collection(K)'],
    examples: [['DISTINCT([2, 1, 2])', '[1,2]']],
  },
  {
    name: 'EXISTS',
    summary: 'Whether there is any element.',
    signatures: ['(collection: collection(T)) -> bool'],
    examples: [
      ['EXISTS([])', 'false'],
      ['EXISTS([1])', 'true'],
    ],
  },
  {
    name: 'GET',
    summary: 'The element at a position, from 0; NULL outside.',
    signatures: ['(collection: collection(T), index: long) -> T nullable'],
    examples: [['GET([5, 6], 1)', '6']],
  },
  {
    name: 'TAKE',
    summary: 'The first elements.',
    signatures: ['(collection: collection(T), count: long) -> collection(T)'],
    examples: [['TAKE([1, 2, 3], 2)', '[1,2]']],
  },
  {
    name: 'DROP',
    summary: 'All but the first elements.',
    signatures: ['(collection: collection(T), count: long) -> collection(T)'],
    examples: [['DROP([1, 2, 3], 2)', '[3]']],
  },
  {
    name: 'FLATTEN',
    summary: 'The elements of all collections, one behind the other.',
    signatures: ['(collection: collection(collection(T))) -> collection(T)'],
    examples: [['FLATTEN([[1], [2, 3]])', '[1,2,3]']],
  },
  {
    name: 'SORT',
    summary: 'The elements in ascending order, NULL first.',
    signatures: ['(collection: collection(K)) -> collection(K)'],
    examples: [['SORT([2, NULL, 1])', '[null,1,2]']],
  },
  {
    name: 'RANGE',
    summary: 'The whole numbers from a first one up to, not including, a last one.',
    signatures: ['(from: long, to: long, step: long := 1) -> collection(long)'],
    examples: [
      ['RANGE(0, 3)', '[0,1,2]'],
      ['RANGE(0, 10, 5)', '[0,5]'],
    ],
  },
  {
    name: 'TRANSFORM',
    kind: 'special',
    summary: 'The function of each element.',
    signatures: ['(collection: collection(T), f: (T) -> U) -> collection(U)'],
    examples: [['TRANSFORM([1, 2], \\(x) -> x * 2)', '[2,4]']],
  },
  {
    name: 'FILTER',
    kind: 'special',
    summary: 'The elements for which the function is true.',
    signatures: ['(collection: collection(T), f: (T) -> bool) -> collection(T)'],
    examples: [['FILTER([1, 2, 3], \\(x) -> x > 1)', '[2,3]']],
  },
  {
    name: 'ANY',
    kind: 'special',
    summary: 'Whether the function is true for an element.',
    nulls: 'NULL of the function counts as false',
    signatures: ['(collection: collection(T), f: (T) -> bool) -> bool'],
    examples: [['ANY([1, 2], \\(x) -> x > 1)', 'true']],
  },
  {
    name: 'ALL',
    kind: 'special',
    summary: 'Whether the function is false for no element.',
    nulls: 'NULL of the function counts as true',
    signatures: ['(collection: collection(T), f: (T) -> bool) -> bool'],
    examples: [['ALL([1, 2], \\(x) -> x > 1)', 'false']],
  },
  {
    name: 'FIND_FIRST',
    kind: 'special',
    summary: 'The first element for which the function is true; NULL if there is none.',
    signatures: ['(collection: collection(T), f: (T) -> bool) -> T nullable'],
    examples: [['FIND_FIRST([1, 2, 3], \\(x) -> x > 1)', '2']],
  },
  {
    name: 'REDUCE',
    kind: 'special',
    summary: 'The elements folded into one value: the function of the value so far (first the start) and each element in turn.',
    nulls: 'NULL of a NULL collection; other NULLs reach the function',
    signatures: ['(collection: collection(T), start: U, f: (U, T) -> U) -> U'],
    examples: [
      ['REDUCE([1, 2, 3], 0, \\(sum, x) -> sum + x)', '6'],
      ['REDUCE(["a", "b"], "", \\(text, x) -> x || text)', '"ba"'],
    ],
  },
  {
    name: 'ZIP',
    kind: 'special',
    summary: 'Records _1, _2, … of the elements at each position, as many as the shortest collection has.',
    signatures: ['(collection: collection(T) …) -> collection(record(_1: T))'],
    examples: [['ZIP([1, 2], ["a", "b", "c"])', '[{"_1":1,"_2":"a"},{"_1":2,"_2":"b"}]']],
  },
]);
