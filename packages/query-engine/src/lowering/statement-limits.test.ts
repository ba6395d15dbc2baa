import { isPlannedSoon } from './statement-limits.ts';

const lambdas = (depth: number, body: string): string => `${'f([x], lambda y: '.repeat(depth)}${body}${')'.repeat(depth)}`;
const LONG = 'z'.repeat(100_000);

/** In the bodies of six lambdas a character counts 64 times: there is room for 62,500. */
const [ROOM, MORE] = ['z'.repeat(62_000), 'z'.repeat(63_000)];

test.each([
  ['lambdas beside one another', `${'f(lambda y: y), '.repeat(100)}${LONG}`],
  ['lambdas in the arguments of one another', `${'f('.repeat(100)}${LONG}${', lambda y: y)'.repeat(100)}`],
  ['lambdas in lists beside one another', `${'[lambda y: y]'.repeat(100)}${LONG}`],
  ['what stands behind the body of a lambda', `${'f(lambda y: y, '.repeat(100)}${LONG}${')'.repeat(100)}`],
  ['what stands behind two lambdas at one place', `${'f(lambda y: lambda z: y)'.repeat(100)}${LONG}`],
  ['a long body in few lambdas', lambdas(5, LONG.repeat(5))],
  ['as much as there is room for', lambdas(6, ROOM)],
  ['lambdas that a text or a name holds', lambdas(6, `'it''s (lambda a: ' || "a"" [lambda b: " || ${ROOM}`)],
  ['a text that holds what closes a lambda', lambdas(5, `'))' || ${LONG}`)],
])('%s are planned soon', (_, sql) => {
  expect(isPlannedSoon(sql)).toBe(true);
});

test.each([
  ['more than there is room for', lambdas(6, MORE)],
  ['a short body in many lambdas', lambdas(22, 'y + 1')],
  ['a text in a body', lambdas(6, `'${MORE}'`)],
  ['what stands before a bracket in a body', lambdas(6, `${MORE}(y)`)],
  ['lambdas behind others', `${'f(lambda y: y), [lambda z: z], '.repeat(30)}${lambdas(6, MORE)}`],
  ['two lambdas at one place', `${'f(lambda y: lambda z: '.repeat(3)}${MORE})))`],
  ['lambdas in lists', `${'[lambda y: '.repeat(6)}${MORE}${']'.repeat(6)}`],
  ['bodies that hold a comma in brackets', lambdas(6, `g(y, y)[y, y] ${MORE}`)],
])('%s are not', (_, sql) => {
  expect(isPlannedSoon(sql)).toBe(false);
});
