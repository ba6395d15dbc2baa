import { readFunctions, writeFunctions } from './stored-functions.ts';
import { SHOP, functionsOf } from './testing/describe-text.ts';

test('functions are read as they were written, with every type, default and endpoint', () => {
  // An untyped NULL prints as the type of any nullable value.
  const functions = functionsOf(SHOP.replace(':= NULL;', ':= TRUE;'));
  expect(functions.length).toBeGreaterThan(5);
  expect(readFunctions(JSON.parse(writeFunctions(functions)))).toEqual(functions);
});

test('a function that takes a function is not stored: nobody can call it from outside', () => {
  const functions = functionsOf('apply(f: (int) -> int, x: int) := f(x); one(x: int) := x');
  expect(readFunctions(JSON.parse(writeFunctions(functions))).map(({ name }) => name)).toEqual(['one']);
});

test('what is stored holds no U+0000, which PostgreSQL has in no JSON', () => {
  const functions = functionsOf(
    String.raw`@get("/f", summary := "a\0b") f(sep: string := "\0", r: record(s: string) := (s: "\0")) := SELECT 1 AS "c\0d";`,
  );
  expect(JSON.stringify(functions)).toContain(String.raw`\u0000`);
  expect(writeFunctions(functions)).not.toContain(String.raw`\u0000`);
});
