import stringWidth from 'string-width';

import type { SourceProblem, SourceRange } from '@svc/api-client';

import { cleanText } from '../output/clean-text.ts';
import type { Style } from '../output/style.ts';

/** A text in which errors have positions. */
export interface SourceText {
  /** The file, or another origin of the text. */
  readonly name: string;
  readonly text: string;
}

/** Longer lines are cut to a part around the error. */
const MAX_LINE = 160;
const BEFORE_ERROR = 60;

/** Draws an error below each line of the source that it points at, as compilers do. */
export function drawProblem({ message, positions }: SourceProblem, source: SourceText, style: Style): string {
  const head = `${style.error('error:')} ${style.strong(cleanText(message, { keepLines: true }))}`;
  return [head, ...positions.map((range) => drawRange(range, source, style))].join('\n');
}

function drawRange({ begin, end }: SourceRange, { name, text }: SourceText, style: Style): string {
  const number = String(begin.line);
  const margin = ' '.repeat(number.length);
  const place = `${margin}${style.frame('-->')} ${cleanText(name)}:${begin.line}:${begin.column}`;
  // Columns count code points, so the line is split into those.
  const line = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)[begin.line - 1];
  if (line === undefined) return place;
  const characters = [...line];
  const from = begin.column - 1;
  const to = end.line === begin.line ? end.column - 1 : characters.length;
  const { before, marked, after } = cut(characters, from, Math.max(to, from + 1));
  const bar = style.frame('|');
  const carets = '^'.repeat(Math.max(1, stringWidth(marked)));
  return [
    place,
    `${margin} ${bar}`,
    `${style.frame(number)} ${bar} ${before}${marked}${after}`,
    `${margin} ${bar} ${blank(before)}${style.error(carets)}`,
  ].join('\n');
}

/** The parts of a line around an error, of a long line those near it. */
function cut(characters: readonly string[], from: number, to: number) {
  const isLong = characters.length > MAX_LINE;
  const first = isLong ? Math.max(0, from - BEFORE_ERROR) : 0;
  const last = isLong ? Math.min(characters.length, first + MAX_LINE) : characters.length;
  const part = (begin: number, end: number): string => cleanText(characters.slice(begin, end).join(''), { keepTabs: true });
  return {
    before: `${first > 0 ? '…' : ''}${part(first, from)}`,
    marked: part(from, Math.min(to, last)),
    after: `${part(Math.min(to, last), last)}${last < characters.length ? '…' : ''}`,
  };
}

/** Returns blanks as wide as a text; tabs are kept, so that the columns line up. */
function blank(text: string): string {
  return text
    .split('\t')
    .map((part) => ' '.repeat(stringWidth(part)))
    .join('\t');
}
