import type { Parameter } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { CheckContext } from './check-context.ts';
import { report } from './check-context.ts';

/** Reports faults in the declared parameters of a function: repeated names, and parameters without a default after one with a default. */
export function areParametersFaulty(context: CheckContext, parameters: readonly Parameter[]): boolean {
  const isRepeated = reportRepeated(context, parameters);
  const first = parameters.findIndex((parameter) => parameter.defaultValue !== null);
  const late = first < 0 ? undefined : parameters.slice(first).find((parameter) => parameter.defaultValue === null);
  if (late !== undefined) report(context, 'default-before-parameter', late.name.span, late.name.text);
  return isRepeated || late !== undefined;
}

function reportRepeated(context: CheckContext, parameters: readonly Parameter[]): boolean {
  const places = new Map<string, { readonly text: string; readonly spans: Span[] }>();
  for (const { name } of parameters) {
    const key = name.isQuoted ? name.text : name.text.toLowerCase();
    const known = places.get(key) ?? { text: name.text, spans: [] };
    known.spans.push(name.span);
    places.set(key, known);
  }
  const repeated = [...places.values()].filter(({ spans }) => spans.length > 1);
  for (const { text, spans } of repeated) report(context, 'declared-twice', spans, text);
  return repeated.length > 0;
}
