import { defineFamily } from './define-function.ts';

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
    summary: 'The sum of the elements, NULL left out; NULL of nothing.',
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
    summary: 'The least element, NULL left out; NULL of nothing.',
    signatures: ['(collection: collection(K)) -> K nullable'],
    examples: [['CMIN([2, 1])', '1']],
  },
  {
    name: 'CMAX',
    summary: 'The greatest element, NULL left out; NULL of nothing.',
    signatures: ['(collection: collection(K)) -> K nullable'],
    examples: [['CMAX([2, 1])', '2']],
  },
  {
    name: 'CAVG',
    summary: 'The mean of the elements, NULL left out; NULL of nothing.',
    signatures: [
      '(collection: collection(I)) -> double nullable',
      '(collection: collection(decimal nullable)) -> decimal nullable',
      '(collection: collection(double nullable)) -> double nullable',
    ],
    examples: [['CAVG([1, 2, NULL])', '1.5']],
  },
  {
    name: 'CFIRST',
    summary: 'The first element that is not NULL; NULL of nothing.',
    signatures: ['(collection: collection(T)) -> T nullable'],
    examples: [['CFIRST([NULL, 5, 6])', '5']],
  },
  {
    name: 'CLAST',
    summary: 'The last element that is not NULL; NULL of nothing.',
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
    signatures: ['(from: long, to: long, ?step: long) -> collection(long)'],
    examples: [
      ['RANGE(0, 3)', '[0,1,2]'],
      ['RANGE(0, 10, 5)', '[0,5]'],
    ],
  },
  {
    name: 'TRANSFORM',
    kind: 'special',
    summary: 'The function of each element.',
    signatures: ['(collection: collection(T)) -> collection(T)'],
    examples: [['TRANSFORM([1, 2], \\(x) -> x * 2)', '[2,4]']],
  },
  {
    name: 'FILTER',
    kind: 'special',
    summary: 'The elements for which the function is true.',
    signatures: ['(collection: collection(T)) -> collection(T)'],
    examples: [['FILTER([1, 2, 3], \\(x) -> x > 1)', '[2,3]']],
  },
  {
    name: 'ANY',
    kind: 'special',
    summary: 'Whether the function is true for an element.',
    signatures: ['(collection: collection(T)) -> bool'],
    examples: [['ANY([1, 2], \\(x) -> x > 1)', 'true']],
  },
  {
    name: 'ALL',
    kind: 'special',
    summary: 'Whether the function is true for all elements.',
    signatures: ['(collection: collection(T)) -> bool'],
    examples: [['ALL([1, 2], \\(x) -> x > 1)', 'false']],
  },
  {
    name: 'FIND_FIRST',
    kind: 'special',
    summary: 'The first element for which the function is true; NULL if there is none.',
    signatures: ['(collection: collection(T)) -> T nullable'],
    examples: [['FIND_FIRST([1, 2, 3], \\(x) -> x > 1)', '2']],
  },
]);
