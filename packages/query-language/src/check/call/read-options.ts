import type { CallExpression, Expression, Name, TypedCallExpression } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';
import { foldConstant } from '../constant-value.ts';
import type { OptionValue } from '../environment.ts';
import { checkValue } from '../check-value.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { suggest } from '../../text/suggest.ts';
import { ownValue } from '../../own-value.ts';
import { OPTIONS_ELSEWHERE, READ_OPTIONS } from './option-rules.ts';
import type { OptionRule, Rules } from './option-rules.ts';

/** Constant options by their names in lower case. */
export interface ReadOptions {
  readonly values: Readonly<Record<string, OptionValue>>;
  /** An option depends on an argument that is not known in this check. */
  readonly isUnknown: boolean;
}

type WrittenCall = CallExpression | TypedCallExpression;

/** `{, option := value}` of a read, behind its location; null after a fault. */
export function checkReadOptions(context: CheckContext, functionName: string, node: WrittenCall, scope: Scope): ReadOptions | null {
  const rules = ownValue(READ_OPTIONS, functionName) ?? {};
  const values: Record<string, OptionValue> = {};
  let [hasFault, isUnknown] = [false, false];
  const args = node.arguments.slice(1);
  const compared = args.flatMap(({ name, value }) => (name === null ? (comparedName(value) ?? []) : []))[0];
  if (compared !== undefined) {
    report(context, 'compared-option', compared.span, ownValue(OPTIONS_ELSEWHERE, compared.text.toLowerCase()) ?? compared.text);
    return null;
  }
  if (args.some((argument) => argument.name === null)) report(context, 'argument-count', node.callee.span, '1', node.arguments.length);
  for (const argument of args) {
    const option = argument.name === null ? null : optionOf(context, { written: argument.name, functionName, rules });
    const name = option?.name ?? '';
    const plan = checkValue(context, argument.value, scope);
    if (Object.hasOwn(values, name)) report(context, 'repeated-option', argument.name?.span ?? argument.span, name);
    const value = isFaulty(plan) || Object.hasOwn(values, name) ? null : foldConstant(context.values, plan);
    if (option === null || value === null) hasFault = true;
    else if (value.kind === 'unknown') isUnknown = true;
    else if (value.kind === 'none') {
      hasFault = true;
      report(context, 'constant-needed', argument.value.span, `option ${name}`);
    } else if (option.rule.accepts(value.value)) values[name] = normal(option.rule, value.value);
    else {
      hasFault = true;
      const { expected, words = [], isSecret = false } = option.rule;
      const found = isSecret ? 'something else' : JSON.stringify(value.value);
      report(
        context,
        'bad-option',
        argument.value.span,
        name,
        expected,
        found,
        typeof value.value === 'string' ? suggest(value.value, words) : null,
      );
    }
  }
  return hasFault ? null : { values, isUnknown };
}

/** Returns the name in `name = value`, as other systems write an option; else null. */
function comparedName(value: Expression): Name | null {
  const isEquality = value.kind === 'BinaryExpression' && value.operator === '=';
  return isEquality && value.left.kind === 'NameExpression' ? value.left.name : null;
}

function normal(rule: OptionRule, value: OptionValue): OptionValue {
  return rule.words !== undefined && typeof value === 'string' ? value.toLowerCase() : value;
}

interface WrittenOption {
  readonly written: Name;
  readonly functionName: string;
  readonly rules: Rules;
}

/** The rule of an option by its name in lower case; null after a report. */
function optionOf(
  context: CheckContext,
  { written, functionName, rules }: WrittenOption,
): { readonly name: string; readonly rule: OptionRule } | null {
  const name = written.text.toLowerCase();
  const rule = ownValue(rules, name);
  if (rule !== undefined) return { name, rule };
  const known = Object.keys(rules);
  if (known.length === 0) report(context, 'no-options', written.span, functionName, name);
  else {
    const instead = ownValue(OPTIONS_ELSEWHERE, name);
    const suggestion = instead !== undefined && known.includes(instead) ? instead : suggest(name, known);
    report(context, 'unknown-option', written.span, name, known.join(', '), suggestion);
  }
  return null;
}
