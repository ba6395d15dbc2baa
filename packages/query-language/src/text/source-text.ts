import type { Span } from './span.ts';

/** A place in a text: line and column from 1, columns in Unicode code points. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A stretch of a text in lines and columns; `end` is exclusive. */
export interface Position {
  readonly begin: Place;
  readonly end: Place;
}

/** Answers lines and columns for offsets of one text. */
export interface SourceText {
  readonly text: string;
  readonly positionOf: (span: Span) => Position;
}

/**
 * Indexes the lines of a text once; `\n`, `\r\n` and `\r` end a line. Offsets past the end count as the end, and
 * in a text without surrogates a column is a difference, so that many faults on one long line stay cheap.
 */
export function createSourceText(text: string): SourceText {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  const isAllUnits = !/[\uD800-\uDFFF]/.test(text);
  const countCodePoints = (from: number, to: number): number => (isAllUnits ? to - from : [...text.slice(from, to)].length);
  const placeOf = (wanted: number): Place => {
    const offset = Math.min(wanted, text.length);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: countCodePoints(starts[low] ?? 0, offset) + 1 };
  };
  return { text, positionOf: (span) => ({ begin: placeOf(span.start), end: placeOf(span.end) }) };
}
