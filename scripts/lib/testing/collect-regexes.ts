import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parseSync, Visitor } from 'oxc-parser';

import { PROJECT } from '../project.js';

/** The regular expressions in the code of services. */
export interface CollectedRegexes {
  /** Literals as written. */
  readonly literals: ReadonlySet<string>;
  /** The calls of RegExp, as `path: call`. */
  readonly calls: ReadonlySet<string>;
}

/** Rooms that no service runs. */
const OTHERS = /^packages\/(api-client|cli|console|local-authorization|local-stack|reference-evaluator|test-kit)\//;
const TESTS = /\.test\.ts$|\/testing\//;
/** Their rules match messages of the engine, which `classify-failure.ts` truncates to 8,000 characters. */
const CUT = 'packages/query-engine/src/statements/failures/';

/** Finds all regular expressions in the sources of services that may be applied to a long text. */
export async function collectRegexes(): Promise<CollectedRegexes> {
  const [literals, calls] = [new Set<string>(), new Set<string>()];
  for await (const path of glob('{packages,services}/*/src/**/*.ts', { cwd: PROJECT })) {
    if (OTHERS.test(path) || TESTS.test(path) || path.startsWith(CUT)) continue;
    const source = await readFile(join(PROJECT, path), 'utf8');
    const { program, errors } = parseSync(path, source);
    if (errors.length > 0) throw new Error(`${path} cannot be parsed`);
    const addCall = (node: { readonly callee: { readonly type: string }; readonly start: number; readonly end: number }): void => {
      if (node.callee.type === 'Identifier' && 'name' in node.callee && node.callee.name === 'RegExp')
        calls.add(`${path}: ${source.slice(node.start, node.end)}`);
    };
    new Visitor({
      Literal: (node) => void ('regex' in node && literals.add(`/${node.regex.pattern}/${node.regex.flags}`)),
      NewExpression: addCall,
      CallExpression: addCall,
    }).visit(program);
  }
  return { literals, calls };
}
