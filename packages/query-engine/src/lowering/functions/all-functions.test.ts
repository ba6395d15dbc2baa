import { FUNCTIONS } from '@svc/query-language';

import { COLLECT_FIRST } from '../../rewrite/top-n-per-group.ts';
import { AGGREGATE_LOWERINGS } from './aggregate-functions.ts';
import { FUNCTION_LOWERINGS } from './index.ts';
import { WINDOW_LOWERINGS } from './window-functions.ts';

/** Lowerings of each kind of function. Functions that the checker expands have none: their examples show that they run. */
const LOWERINGS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  scalar: FUNCTION_LOWERINGS,
  aggregate: AGGREGATE_LOWERINGS,
  window: WINDOW_LOWERINGS,
};

it.each(FUNCTIONS)('$name has examples and its SQL', ({ name, kind, examples }) => {
  expect(examples.length).toBeGreaterThan(0);
  expect(kind === 'special' || Object.hasOwn(LOWERINGS[kind] ?? {}, name)).toBe(true);
});

it('there is no SQL of a function that the language does not have', () => {
  const known = new Set(FUNCTIONS.map(({ name }) => name));
  const lowered = Object.values(LOWERINGS).flatMap((lowerings) => Object.keys(lowerings));
  expect(lowered.filter((name) => !known.has(name) && name !== COLLECT_FIRST)).toEqual([]);
});
