import type { FunctionDefinition } from '../../functions/function-definition.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Type } from '../../types/type.ts';
import { isPrimitive } from '../../types/types.ts';
import { asText } from '../arithmetic.ts';
import type { CheckContext } from '../check-context.ts';
import { mapCollection } from '../map-collection.ts';

/** Casts the arguments of a function of texts, or the elements of these, to texts where it does so, as `||` does. */
export function asTexts(context: CheckContext, { castsToText }: FunctionDefinition, args: readonly Plan[]): readonly Plan[] {
  if (castsToText === undefined) return args;
  return args.map((arg) => (castsToText === 'elements' ? withTexts(context, arg) : isPrinted(arg.type) ? asText(arg) : arg));
}

function withTexts(context: CheckContext, plan: Plan): Plan {
  const { type } = plan;
  const isCast = type.kind === 'CollectionType' && isPrinted(type.element) && !isPrimitive(type.element, 'string');
  return isCast ? mapCollection(context, plan, plan.span, asText) : plan;
}

/** Returns whether values of a type have a text that is no text of parts. */
function isPrinted(type: Type): boolean {
  if (type.kind === 'AnyType') return !type.isUndetermined;
  return type.kind === 'PrimitiveType' && type.name !== 'binary' && type.name !== 'regex';
}
