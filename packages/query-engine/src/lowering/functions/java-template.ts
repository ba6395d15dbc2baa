import type { Constant, TemplateField } from '@svc/query-language';
import { readTemplate } from '@svc/query-language';

import { castTo, joinSql, SQL, textLiteral, type Sql } from '../../sql/sql.ts';

/** A part of a Java template: fixed text, or a field with the engine's directive and the form of its text. */
export type EnginePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly letters: TemplateField; readonly directive: string; readonly pattern: string };

/** The fields by their letters: the engine's directive, and a regex of the text. */
const FIELDS: Readonly<Record<TemplateField, readonly [directive: string, pattern: string]>> = {
  y: ['%Y', '\\d{1,6}'],
  yy: ['%y', '\\d{2}'],
  yyyy: ['%Y', '\\d{4,6}'],
  M: ['%-m', '\\d{1,2}'],
  MM: ['%m', '\\d{2}'],
  MMM: ['%b', '[A-Z][a-z]{2}'],
  MMMM: ['%B', '[A-Z][a-z]+'],
  d: ['%-d', '\\d{1,2}'],
  dd: ['%d', '\\d{2}'],
  D: ['%-j', '\\d{1,3}'],
  DDD: ['%j', '\\d{3}'],
  E: ['%a', '[A-Z][a-z]{2}'],
  EE: ['%a', '[A-Z][a-z]{2}'],
  EEE: ['%a', '[A-Z][a-z]{2}'],
  EEEE: ['%A', '[A-Z][a-z]+'],
  a: ['%p', '[AP]M'],
  H: ['%-H', '\\d{1,2}'],
  HH: ['%H', '\\d{2}'],
  h: ['%-I', '\\d{1,2}'],
  hh: ['%I', '\\d{2}'],
  m: ['%-M', '\\d{1,2}'],
  mm: ['%M', '\\d{2}'],
  s: ['%-S', '\\d{1,2}'],
  ss: ['%S', '\\d{2}'],
  SSS: ['%g', '\\d{3}'],
  SSSSSS: ['%f', '\\d{6}'],
};

/** Represents a percent sign in the engine's templates, which cannot express it. */
const PERCENT = '\u0001';

/** A template that the checker has accepted, in the engine's words. */
export function compileTemplate(template: Constant['value'] | undefined): readonly EnginePiece[] {
  if (typeof template !== 'string') throw new Error('A template is constant.');
  const read = readTemplate(template);
  if ('problem' in read) throw new Error(read.problem);
  return read.pieces.map((piece): EnginePiece => {
    if (piece.kind === 'text') return piece;
    const [directive, pattern] = FIELDS[piece.letters];
    return { ...piece, directive, pattern };
  });
}

/** The text of a TIMESTAMP that is not NULL; `t` may be repeated. Java's `y` is the year of the era: 1 BC is year 0 of the engine. */
export function formatSql(t: Sql, pieces: readonly EnginePiece[]): Sql {
  if (pieces.length === 0) return textLiteral('');
  const parts = pieces.map((piece): Sql => {
    if (piece.kind === 'text') return textLiteral(piece.text);
    if (piece.letters === 'y') return SQL`CAST(year(${t}) AS VARCHAR)`;
    return SQL`strftime(${t}, ${textLiteral(piece.directive)})`;
  });
  const text = mergeDirectives(t, pieces) ?? SQL`concat(${joinSql(parts)})`;
  if (!pieces.some(isYear)) return text;
  const ofEra = parts.map((part, i) => yearBeforeChrist(t, pieces[i]) ?? part);
  return SQL`CASE WHEN year(${t}) >= 1 THEN ${text} ELSE concat(${joinSql(ofEra)}) END`;
}

function isYear(piece: EnginePiece): boolean {
  return piece.kind === 'field' && piece.letters.startsWith('y');
}

function yearBeforeChrist(t: Sql, piece: EnginePiece | undefined): Sql | null {
  if (piece?.kind !== 'field') return null;
  const year = SQL`1 - year(${t})`;
  if (piece.letters === 'y') return castTo(year, 'VARCHAR');
  if (piece.letters === 'yy') return SQL`printf('%02d', (${year}) % 100)`;
  return piece.letters === 'yyyy' ? SQL`printf('%04d', ${year})` : null;
}

/** Combines the directives into one call, if no text contains characters that the engine's template cannot express. */
function mergeDirectives(t: Sql, pieces: readonly EnginePiece[]): Sql | null {
  if (pieces.some((piece) => (piece.kind === 'text' ? /[%\0]/.test(piece.text) : piece.letters === 'y'))) return null;
  return SQL`strftime(${t}, ${textLiteral(engineTemplate(pieces))})`;
}

/**
 * Parses a text by the template to a TIMESTAMP, NULL if it does not match: the engine is lax about digits, blanks and names,
 * so the form of the text is compared too. Two-digit years are 20xx. `s` may be repeated.
 */
export function parseSql(s: Sql, pieces: readonly EnginePiece[]): Sql {
  const template = textLiteral(engineTemplate(pieces));
  const hasPercent = pieces.some((piece) => piece.kind === 'text' && piece.text.includes('%'));
  const text = hasPercent ? SQL`replace(${s}, '%', ${textLiteral(PERCENT)})` : s;
  const parsed = SQL`try_strptime(${text}, ${template})`;
  const hasShortYear = pieces.some((piece) => piece.kind === 'field' && piece.letters === 'yy');
  const moment = hasShortYear ? SQL`(${parsed} + CASE WHEN year(${parsed}) < 2000 THEN to_years(100) ELSE to_years(0) END)` : parsed;
  const isExact = pieces.every((piece) => piece.kind === 'text' || piece.letters.length > 1);
  const days = pieces.flatMap((piece) => (piece.kind === 'field' && piece.letters.startsWith('E') ? [piece.directive] : []));
  const namesFit = joinSql(
    days.map((directive) => SQL` AND contains(${s}, strftime(${moment}, ${textLiteral(directive)}))`),
    '',
  );
  const fits = isExact
    ? SQL`strftime(${moment}, ${template}) = ${text}`
    : SQL`regexp_full_match(${s}, ${textLiteral(regexOf(pieces))})${namesFit}`;
  return SQL`CASE WHEN ${fits} AND year(${moment}) >= 1 THEN ${moment} END`;
}

function engineTemplate(pieces: readonly EnginePiece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text.replaceAll('%', PERCENT) : piece.directive)).join('');
}

function regexOf(pieces: readonly EnginePiece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : piece.pattern)).join('');
}
