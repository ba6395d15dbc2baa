import type { Term } from './term.ts';

/** Returns the name of an item without AS; null if it has none. */
export function impliedName(term: Term): string | null {
  if (term.kind === 'key') return impliedName(term.written);
  if (term.kind === 'literal' && typeof term.value === 'number' && !Number.isFinite(term.value))
    return Number.isNaN(term.value) ? 'NaN' : 'Inf';
  return term.kind === 'variable' || term.kind === 'field' || term.kind === 'merged' ? term.name : null;
}
