import { assertNever } from '../../assert-never.ts';
import type { OverloadFailure } from '../../functions/resolve-overload.ts';
import type { Plan } from '../../plan/plan.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import type { Type } from '../../types/type.ts';
import { errorType, printType } from '../../types/types.ts';
import type { CheckContext } from '../check-context.ts';
import { report } from '../check-context.ts';
import { valueOfQuery } from '../convert.ts';
import { calledWithElements } from '../element-advice.ts';
import { argumentSpan } from './arguments.ts';

/** Reports why no overload matches: at the name for a wrong number, at the argument for a wrong type, at both arguments that disagree. */
export function reportFailure(context: CheckContext, node: CallExpression, types: readonly Type[], failure: OverloadFailure): Plan {
  const nameOf = (index: number): string => printType(types[index] ?? errorType);
  switch (failure.kind) {
    case 'count':
      return report(context, 'argument-count', node.callee.span, failure.expected, node.arguments.length);
    case 'conflict': {
      const places = [failure.other, failure.index];
      return report(
        context,
        'incompatible-types',
        places.map((index) => argumentSpan(node, index)),
        nameOf(failure.other),
        nameOf(failure.index),
      );
    }
    case 'type': {
      const isSelect = node.arguments[failure.index]?.value.kind === 'SelectExpression';
      const takesNone = !failure.expected.some((expected) => expected.includes('collection'));
      const type = types[failure.index] ?? errorType;
      const ofElements = takesNone ? calledWithElements(node, failure.index, type) : null;
      const suggestion = isSelect && takesNone ? valueOfQuery(type, failure.expected.includes('record')) : ofElements;
      return report(context, 'argument-type', argumentSpan(node, failure.index), failure.expected, nameOf(failure.index), suggestion);
    }
    default:
      return assertNever(failure);
  }
}
