import type { Name } from '../syntax/ast.ts';
import type { CheckContext } from './check-context.ts';
import type { Need } from './environment.ts';

/** The need of a name in the caller's namespace, or of a package. */
export function nameNeed<Kind extends 'name' | 'package'>(
  kind: Kind,
  { text, isQuoted }: Name,
): { readonly kind: Kind; readonly key: string; readonly name: string; readonly isQuoted: boolean } {
  return { kind, key: `${kind}:${isQuoted ? `\`${text}\`` : text.toLowerCase()}`, name: text, isQuoted };
}

/** Returns the answer to a need; records the need if there is none yet. */
export function resolve<Answer>({ needs }: CheckContext, need: Need, answer: Answer | undefined): Answer | undefined {
  if (answer === undefined) needs.set(need.key, need);
  return answer;
}
