import { basename } from 'node:path';

/** A test of a file loaded in this process. */
export interface CollectedTest {
  readonly name: string;
  readonly run: () => unknown;
}

type Hook = () => unknown;
type Body = (...values: readonly unknown[]) => unknown;

/**
 * Implements the global functions of test files, as far as those of the language use them: `describe`, `test`, `it`, their
 * `each`, `beforeAll` and `afterAll`. Each file is imported after `begin`.
 */
export function createTestGlobals(): {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly begin: (file: string) => void;
  readonly tests: readonly CollectedTest[];
  readonly before: readonly Hook[];
  readonly after: readonly Hook[];
} {
  const tests: CollectedTest[] = [];
  const before: Hook[] = [];
  const after: Hook[] = [];
  let path: readonly string[] = [];
  const describe = (name: string, body: Hook): void => {
    const around = path;
    path = [...path, name];
    body();
    path = around;
  };
  const test = (name: string, run: Hook): void => {
    tests.push({ name: [...path, name].join(' › '), run });
  };
  const each =
    (declare: (name: string, body: Hook) => void) =>
    (rows: readonly unknown[]) =>
    (name: string, body: Body): void => {
      for (const [i, row] of rows.entries())
        declare(`${name} ${i + 1}: ${String(JSON.stringify(row)).slice(0, 60)}`, () =>
          body(...(Array.isArray(row) ? (row as readonly unknown[]) : [row])),
        );
    };
  const testWithEach = Object.assign(test, { each: each(test) });
  return {
    globals: {
      describe: Object.assign(describe, { each: each(describe) }),
      test: testWithEach,
      it: testWithEach,
      beforeAll: (hook: Hook) => before.push(hook),
      afterAll: (hook: Hook) => after.push(hook),
    },
    begin: (file) => {
      path = [basename(file)];
    },
    tests,
    before,
    after,
  };
}
