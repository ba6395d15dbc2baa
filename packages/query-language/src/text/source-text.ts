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
 * Indexes the lines of a text at the first lookup of a position; `\n`, `\r\n` and `\r` end a line. Offsets past the end
 * count as the end. In a text without surrogates a column is a difference, so that many diagnostics on one long line stay
 * cheap.
 */
export function createSourceText(text: string): SourceText {
  let lines: Lines | undefined;
  const placeOf = (wanted: number): Place => {
    const { starts, isAllUnits } = (lines ??= linesOf(text));
    const offset = Math.min(wanted, text.length);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = starts[low] ?? 0;
    return { line: low + 1, column: (isAllUnits ? offset - start : [...text.slice(start, offset)].length) + 1 };
  };
  return { text, positionOf: (span) => ({ begin: placeOf(span.start), end: placeOf(span.end) }) };
}

interface Lines {
  readonly starts: readonly number[];
  readonly isAllUnits: boolean;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function linesOf(text: string): Lines {
  const starts = [0];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(i + 1) !== LINE_FEED)) starts.push(i + 1);
  }
  return { starts, isAllUnits: !/[\uD800-\uDFFF]/.test(text) };
}
