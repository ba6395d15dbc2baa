import type { Argument } from '../../syntax/ast.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';
import { foldConstant } from '../constant-value.ts';
import type { OptionValue } from '../environment.ts';
import { checkValue } from '../expression.ts';
import { isFaulty } from '../operand.ts';
import type { Scope } from '../scope.ts';
import { suggest } from '../../text/suggest.ts';
import { ownValue } from '../../own-value.ts';
import { READ_OPTIONS, type OptionRule, type Rules } from './option-rules.ts';

/** Options of locations that cannot be read yet. */
const NOT_YET = new Set(['http_method', 'http_body', 'http_headers', 'http_args', 'cache']);

/** Constant options by their names in lower case. */
export interface ReadOptions {
  readonly values: Readonly<Record<string, OptionValue>>;
  /** An option depends on an argument that is not known in this check. */
  readonly isUnknown: boolean;
}

/** `{, option := value}` of a read; null after a fault. */
export function checkReadOptions(context: CheckContext, functionName: string, args: readonly Argument[], scope: Scope): ReadOptions | null {
  const rules = READ_OPTIONS[functionName] ?? {};
  const values: Record<string, OptionValue> = {};
  let [hasFault, isUnknown] = [false, false];
  for (const argument of args) {
    const option = optionOf(context, { argument, functionName, rules, count: args.length + 1 });
    const name = option?.name ?? '';
    const plan = checkValue(context, argument.value, scope);
    if (Object.hasOwn(values, name)) report(context, 'repeated-option', argument.name?.span ?? argument.span, name);
    const value = isFaulty(plan) || Object.hasOwn(values, name) ? null : foldConstant(context, plan);
    if (option === null || value === null) hasFault = true;
    else if (value.kind === 'unknown') isUnknown = true;
    else if (value.kind === 'none') {
      hasFault = true;
      report(context, 'constant-needed', argument.value.span, `option ${name}`);
    } else if (option.rule.accepts(value.value)) values[name] = normal(option.rule, value.value);
    else {
      hasFault = true;
      const { expected, words = [] } = option.rule;
      const found = JSON.stringify(value.value);
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

function normal(rule: OptionRule, value: OptionValue): OptionValue {
  return rule.words !== undefined && typeof value === 'string' ? value.toLowerCase() : value;
}

interface WrittenOption {
  readonly argument: Argument;
  readonly functionName: string;
  readonly rules: Rules;
  readonly count: number;
}

/** The rule of an option by its name in lower case; null after a report. */
function optionOf(
  context: CheckContext,
  { argument, functionName, rules, count }: WrittenOption,
): { readonly name: string; readonly rule: OptionRule } | null {
  if (argument.name === null) {
    report(context, 'argument-count', argument.span, '1', count);
    return null;
  }
  const name = argument.name.text.toLowerCase();
  const rule = ownValue(rules, name);
  if (rule !== undefined) return { name, rule };
  const known = Object.keys(rules);
  if (NOT_YET.has(name)) report(context, 'not-supported-yet', argument.span, `the option ${name}`);
  else if (known.length === 0) report(context, 'no-options', argument.name.span, functionName, name);
  else report(context, 'unknown-option', argument.name.span, name, known.join(', '), suggest(name, known));
  return null;
}
