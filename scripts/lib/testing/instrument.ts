import type { Change } from './find-mutants.ts';

/** A place in a source with its alternatives, each under the number of its mutant. */
interface Site {
  readonly start: number;
  readonly end: number;
  readonly alternatives: { readonly id: number; readonly text: string | null; readonly isDecided: boolean }[];
  /** Mutants that are detectable if the value of this site is true, or false. */
  whenTrue: number;
  whenFalse: number;
  readonly inner: Site[];
}

const NONE = -1;

/**
 * Returns the source with all its changes as conditional code. Global functions select at run time: `mutant(id)` returns
 * whether that mutant is active, and `mutantOn(id)` the same where `mutantDecided(whenTrue, whenFalse, value)` selects which
 * of two has an effect. Changes come outer ones first; the first has the number `firstId`.
 */
export function instrument(source: string, changes: readonly Change[], firstId: number): string {
  const whole = newSite(0, source.length);
  for (const [i, { start, end, text, decidedBy }] of changes.entries()) {
    const id = firstId + i;
    siteOf(whole, start, end).alternatives.push({ id, text, isDecided: decidedBy !== undefined });
    if (decidedBy === undefined) continue;
    siteOf(whole, decidedBy.start, decidedBy.end)[decidedBy.when ? 'whenTrue' : 'whenFalse'] = id;
  }
  return print(source, whole);
}

function newSite(start: number, end: number): Site {
  return { start, end, alternatives: [], whenTrue: NONE, whenFalse: NONE, inner: [] };
}

/** Returns the site of a range. Creates it if there is none. */
function siteOf(whole: Site, start: number, end: number): Site {
  const around = siteAround(whole, start, end);
  if (around.start === start && around.end === end && around !== whole) return around;
  const site = newSite(start, end);
  around.inner.push(site);
  return site;
}

/** Returns the innermost site that contains a range. */
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
  if (site.whenTrue !== NONE || site.whenFalse !== NONE) text = `mutantDecided(${site.whenTrue}, ${site.whenFalse}, (${text}))`;
  const [first] = site.alternatives;
  if (first === undefined) return text;
  if (first.text === null) return `{ if (!mutant(${first.id})) {${text}} }`;
  const choices = site.alternatives.map((one) => `${one.isDecided ? 'mutantOn' : 'mutant'}(${one.id}) ? (${one.text ?? ''}) : `);
  return `(${choices.join('')}(${text}))`;
}
