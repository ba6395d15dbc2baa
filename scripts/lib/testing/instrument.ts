import type { Change } from './find-mutants.ts';

/** A place of a source with what may stand there, each under the number of its mutant. */
interface Site {
  readonly start: number;
  readonly end: number;
  readonly alternatives: { readonly id: number; readonly text: string | null }[];
  readonly inner: Site[];
}

/**
 * The source with all its changes in it: `mutant(id)`, a function of the global scope, says at each place whether that one is
 * on. Changes come outer ones first; the first has the number `firstId`.
 */
export function instrument(source: string, changes: readonly Change[], firstId: number): string {
  const whole: Site = { start: 0, end: source.length, alternatives: [], inner: [] };
  for (const [i, { start, end, text }] of changes.entries()) {
    const around = siteAround(whole, start, end);
    const alternative = { id: firstId + i, text };
    if (around.start === start && around.end === end && around !== whole) around.alternatives.push(alternative);
    else around.inner.push({ start, end, alternatives: [alternative], inner: [] });
  }
  return print(source, whole);
}

/** The innermost site that holds a range. */
function siteAround(site: Site, start: number, end: number): Site {
  const inner = site.inner.find((other) => other.start <= start && end <= other.end);
  return inner === undefined ? site : siteAround(inner, start, end);
}

function print(source: string, site: Site): string {
  let text = '';
  let at = site.start;
  for (const inner of site.inner.toSorted((a, b) => a.start - b.start)) {
    text += source.slice(at, inner.start) + print(source, inner);
    at = inner.end;
  }
  text += source.slice(at, site.end);
  if (site.alternatives.length === 0) return text;
  const [first] = site.alternatives;
  if (first?.text === null) return `{ if (!mutant(${first.id})) {${text}} }`;
  return `(${site.alternatives.map((one) => `mutant(${one.id}) ? (${one.text ?? ''}) : `).join('')}(${text}))`;
}
