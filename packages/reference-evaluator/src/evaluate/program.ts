import type { RandomProgram } from '../program/term.ts';
import { usesVariables } from '../program/tree.ts';
import type { Value } from '../values/value.ts';
import { RunTimeError, Unpromised } from '../values/value.ts';
import { declaredValue, once } from './declared.ts';
import type { Environment } from './environment.ts';
import { emptyEnvironment, evaluate, lookUp } from './environment.ts';
import { RULES } from './rules.ts';
import type { Sampler } from './sampler.ts';
import { attempt } from './touch.ts';

/** Expected outcome of a program: a value, a failure, either of both, or left open by the language. */
export type Expectation =
  | { readonly kind: 'value'; readonly value: Value; readonly mayFail: boolean }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'open'; readonly reason: string };

/**
 * Evaluates a program as docs/language.md defines it, step by step, all parts except branches that are not taken. `tables`
 * are the values of free names. With a sampler nothing fails: a sample replaces each failing value.
 */
export function evaluateProgram(program: RandomProgram, tables: ReadonlyMap<number, Value>, sample: Sampler | null = null): Expectation {
  const environment = emptyEnvironment(RULES, sample);
  try {
    const declared = new Map<number, Value | (() => Value)>(tables);
    const inner: Environment = { ...environment, values: declared };
    for (const declaration of program.declarations) {
      if (declaration.kind === 'data')
        declared.set(
          declaration.id,
          once(() => declaredValue(declaration, inner)),
        );
    }
    const value = evaluate(program.result, inner);
    touchDeclared(program, inner);
    return { kind: 'value', value, mayFail: environment.progress.hasFailed };
  } catch (thrown) {
    if (thrown instanceof RunTimeError) return { kind: 'failure', message: thrown.message };
    if (thrown instanceof Unpromised) return { kind: 'open', reason: thrown.message };
    throw thrown;
  }
}

/**
 * Evaluates declarations used only by branches that are not taken: the engine may evaluate them, since they are declared
 * outside of the branch.
 */
function touchDeclared({ declarations, result }: RandomProgram, environment: Environment): void {
  for (const declaration of declarations) {
    if (declaration.kind !== 'data' || !usesVariables([result, declarations], new Set([declaration.id]))) continue;
    attempt(environment, () => void lookUp(environment, declaration.id));
  }
}
