import type { ConstantArgument } from '../../functions/constant-argument.ts';
import { constant } from '../../plan/build-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Span } from '../../text/span.ts';
import { notNullable } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { refuse, report } from '../check-context.ts';
import { foldConstant } from '../constant-value.ts';

/**
 * Validates the argument of a call that has a rule. Returns the arguments with that constant folded, null after a report, or
 * `unknown` if a value that must be constant depends on an argument of the enclosing function.
 */
export function checkConstantArguments(
  context: CheckContext,
  rule: ConstantArgument | undefined,
  args: readonly Plan[],
  spans: readonly Span[],
): readonly Plan[] | 'unknown' | null {
  const plan = rule === undefined ? undefined : args[rule.index];
  if (rule === undefined || plan === undefined) return args;
  const span = spans[rule.index] ?? plan.span;
  const folded = foldConstant(context.values, plan);
  if (folded.kind === 'unknown') return rule.mustBe === null ? args : 'unknown';
  if (folded.kind === 'none') {
    if (rule.mustBe === null) return args;
    report(context, 'constant-needed', span, rule.mustBe);
    return null;
  }
  const { value } = folded;
  if (value === null) return args;
  if (typeof value === 'object') throw new Error('an argument with a rule is of a primitive type');
  const values = args.map((arg) => {
    const other = foldConstant(context.values, arg);
    return other.kind === 'value' ? other.value : undefined;
  });
  const problem = rule.problem(value, args, values);
  if (problem !== null) return refuse(context, 'bad-constant', span, problem);
  if (rule.mustBe === null) return args;
  return args.map((arg, i) => (i === rule.index ? constant(notNullable(plan.type), String(value), plan.span) : arg));
}
