import { createCompileBudget, TooMuchWork } from './compile-budget.ts';

test('an ordinary query stays within the budget, as do its parts', () => {
  const budget = createCompileBudget();
  budget.onText('x'.repeat(6000));
  expect(() => {
    for (let i = 0; i < 2000; i += 1) budget.onPart();
  }).not.toThrow();
});

test('a long text is too much before it is read', () => {
  expect(() => createCompileBudget().onText('x'.repeat(100_000))).toThrow(TooMuchWork);
});

test('a short text of which much is made is too much', () => {
  const budget = createCompileBudget();
  expect(() => {
    for (let i = 0; i < 10_000; i += 1) budget.onPart();
  }).toThrow(TooMuchWork);
});
