import { setImmediate as nextTurn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';

import { readBytes, type Compression } from '../read-bytes.ts';
import { ReadFailure } from '../read-failure.ts';
import { CELL_TESTS } from './cell-type.ts';
import type { CsvDialect } from './csv-dialect.ts';
import { uniqueNames } from './unique-names.ts';

/** Options of sniffing; missing ones are inferred. */
export interface SniffOptions {
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
  readonly hasHeader?: boolean;
  readonly skip?: number;
  /** Default `[""]`; does not include a quoted empty text. */
  readonly nulls?: readonly string[];
  readonly encoding?: string;
  readonly compression?: Compression;
  readonly signal: AbortSignal;
}

/** The dialect of a file, and its column names: from the header, made unique, or `_1`, `_2` … */
export interface SniffedCsv {
  readonly dialect: CsvDialect;
  readonly names: readonly string[];
  /** The first rows, as texts. */
  readonly rows: readonly (readonly string[])[];
}

const SNIFFED_CHARACTERS = 2 ** 18;
/** Maximum length of the first line. */
const MAX_LINE_CHARACTERS = 2 ** 20;
const FEW_CHARACTERS = 2 ** 16;
const SNIFFED_RECORDS = 200;
const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Quote and escape, the likeliest first. */
const QUOTINGS = [
  { quote: '"', escape: '"' },
  { quote: '"', escape: '\\' },
  { quote: "'", escape: "'" },
] as const;

/**
 * Infers the CSV dialect of a file from its beginning. The first line that is not skipped is the first record: records of
 * another length are invalid, and none is dropped to make the rest fit. Fails with a ReadFailure.
 */
export async function sniffCsv(path: string, options: SniffOptions): Promise<SniffedCsv> {
  const { text, isWhole } = await readBeginning(path, options);
  const attempts: Attempt[] = [];
  for (const trial of trials(text, { ...options, isWhole })) {
    attempts.push(trial());
    // A dozen looks at a megabyte in a row would hold the event loop.
    if (text.length > FEW_CHARACTERS) await nextTurn();
  }
  return choose(attempts, text, { ...options, isWhole });
}

/**
 * Returns the cells of the line behind the skipped ones in a given dialect: none if it is empty, null if there is no such line. Fails with
 * a ReadFailure.
 */
export async function readCsvHeader(
  path: string,
  dialect: CsvDialect,
  options: Pick<SniffOptions, 'compression' | 'signal'>,
): Promise<readonly string[] | null> {
  const encoding = dialect.encoding === null ? {} : { encoding: dialect.encoding };
  const { text, isWhole } = await readBeginning(path, { ...options, ...encoding }, 1);
  const rest = skipLines(text, dialect.skip);
  const [first] = readRecords(rest, { ...dialect, isWhole, most: 1 }).records;
  if (first === undefined) return null;
  return emptyLines(rest) > 0 ? [] : first.map(detached);
}

type TextOptions = Omit<SniffOptions, 'signal'> & { readonly isWhole: boolean };

/** The same by a text, or by the beginning of one. */
export function sniffCsvText(text: string, options: TextOptions): SniffedCsv {
  const attempts = trials(text, options).map((trial) => trial());
  return choose(attempts, text, options);
}

/** Looks at the text in each way in which it could be written. */
function trials(text: string, options: TextOptions): readonly (() => Attempt)[] {
  const { isWhole } = options;
  const skipped = skipLines(text, options.skip ?? 0);
  return quotings(options).flatMap((quoting) =>
    delimiters(options).map((delimiter) => () => attempt(skipped, { ...quoting, delimiter, isWhole })),
  );
}

function choose(attempts: readonly Attempt[], text: string, options: TextOptions): SniffedCsv {
  const { isWhole, skip = 0 } = options;
  // Without a quoted cell, the common quote character is assumed.
  const [common] = quotings(options);
  const likely = attempts.filter(({ quote, isQuoting }) => quote === common?.quote || isQuoting);
  const best = likely.reduce((a, b) => (isBetter(b, a) ? b : a));
  if (best.records.length === 0 && !isWhole) throw new ReadFailure('csv', `the first row is longer than ${text.length} characters`);
  const [first = [''], ...rest] = best.records;
  const hasHeader = options.hasHeader ?? looksLikeHeader(first, rest);
  return {
    names: hasHeader ? uniqueNames(first.map(detached)) : first.map((_, i) => `_${i + 1}`),
    rows: hasHeader ? rest : best.records,
    dialect: {
      delimiter: best.delimiter,
      quote: best.quote,
      escape: best.escape,
      hasHeader,
      // The engine would take an empty line for the header.
      skip: skip + (hasHeader ? emptyLines(skipLines(text, skip)) : 0),
      nulls: options.nulls ?? [''],
      encoding: options.encoding ?? null,
    },
  };
}

async function readBeginning(
  path: string,
  options: SniffOptions,
  enough: number = SNIFFED_CHARACTERS,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder(options.encoding ?? 'utf-8');
  let text = '';
  for await (const chunk of readBytes(path, options.compression ?? null, options.signal)) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= (/[\r\n]/.test(text) ? enough : MAX_LINE_CHARACTERS)) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}

function skipLines(text: string, count: number): string {
  const lineEnd = lineEndOf(text);
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const end = text.indexOf(lineEnd, at);
    if (end < 0) return '';
    at = end + 1;
  }
  return text.slice(at);
}

/** Returns the number of empty lines at the beginning. */
function emptyLines(text: string): number {
  const blank = /^[\r\n]*/.exec(text)?.[0] ?? '';
  return blank.split(lineEndOf(text)).length - 1;
}

/** Returns the character that ends each line. */
function lineEndOf(text: string): string {
  return text.includes('\n') ? '\n' : '\r';
}

interface Quoting {
  readonly quote: string;
  readonly escape: string;
}

function quotings({ quote, escape }: Pick<SniffOptions, 'quote' | 'escape'>): readonly Quoting[] {
  if (quote !== undefined) return [{ quote, escape: escape ?? quote }];
  return escape === undefined ? QUOTINGS : [{ quote: '"', escape }];
}

function delimiters({ delimiter }: Pick<SniffOptions, 'delimiter'>): readonly string[] {
  return delimiter === undefined ? DELIMITERS : [delimiter];
}

interface Attempt extends Quoting {
  readonly delimiter: string;
  readonly records: readonly (readonly string[])[];
  /** Number of closing quotes that do not end a cell. */
  readonly badQuotes: number;
  /** True if some cell is quoted. */
  readonly isQuoting: boolean;
  /** The share of records that are as long as the first. */
  readonly consistency: number;
}

function attempt(text: string, manner: Quoting & { readonly delimiter: string; readonly isWhole: boolean }): Attempt {
  const { quote, escape, delimiter } = manner;
  const { records, badQuotes, isQuoting } = readRecords(text, manner);
  const width = records[0]?.length ?? 0;
  const alike = records.filter((record) => record.length === width).length;
  return { quote, escape, delimiter, records, badQuotes, isQuoting, consistency: records.length === 0 ? 0 : alike / records.length };
}

/** Several columns are better than one; among those the fewest bad quotes, the most alike, the most columns, the likelier. */
function isBetter(a: Attempt, b: Attempt): boolean {
  const marks = (of: Attempt): readonly number[] => {
    const width = of.records[0]?.length ?? 0;
    return [width > 1 ? 1 : 0, -of.badQuotes, of.consistency, width];
  };
  const [of, other] = [marks(a), marks(b)];
  const at = of.findIndex((mark, i) => mark !== other[i]);
  return at >= 0 && (of[at] ?? 0) > (other[at] ?? 0);
}

/** Parses the first records of a text, without a truncated last one. */
function readRecords(
  text: string,
  {
    quote,
    escape,
    delimiter,
    isWhole,
    most = SNIFFED_RECORDS,
  }: Quoting & { readonly delimiter: string; readonly isWhole: boolean; readonly most?: number },
) {
  const records: string[][] = [];
  const isEnd = (character: string): boolean => character === delimiter || character === '\n' || character === '\r';
  const isMark = (character: string): boolean => character === quote || character === escape;
  let [record, cell, isQuoted, wasQuoted, badQuotes]: [string[], string, boolean, boolean, number] = [[], '', false, false, 0];
  let isQuoting = false;
  const endRecord = (): void => {
    if (record.length > 0 || cell !== '' || wasQuoted) records.push([...record, cell]);
    [record, cell, wasQuoted] = [[], '', false];
  };
  for (let i = 0; i < text.length && records.length < most; i += 1) {
    const character = text.charAt(i);
    if (isQuoted) {
      if (character === escape && escape !== quote) cell += text.charAt((i += 1));
      else if (character !== quote) {
        const run = runOf(text, i, isMark);
        cell += run;
        i += run.length - 1;
      } else if (escape === quote && text.charAt(i + 1) === quote) cell += text.charAt((i += 1));
      else isQuoted = false;
    } else if (character === delimiter) {
      record.push(cell);
      [cell, wasQuoted] = ['', false];
    } else if (character === '\n' || character === '\r') endRecord();
    else if (character === quote && cell === '' && !wasQuoted && quote !== '') [isQuoted, wasQuoted, isQuoting] = [true, true, true];
    else {
      const run = runOf(text, i, isEnd);
      if (wasQuoted) badQuotes += run.length;
      cell += run;
      i += run.length - 1;
    }
  }
  if (isWhole && records.length < most) endRecord();
  return { records, isQuoting, badQuotes: badQuotes + (isQuoted && isWhole ? 1 : 0) };
}

/** The character at a place, and those behind it up to one that ends the run: adding each by itself takes 100 MB for a million. */
function runOf(text: string, from: number, isEnd: (character: string) => boolean): string {
  let to = from + 1;
  while (to < text.length && !isEnd(text.charAt(to))) to += 1;
  return text.slice(from, to);
}

/** The same cell in memory of its own: a part of a text keeps all of it. */
function detached(cell: string): string {
  return Buffer.from(cell, 'utf16le').toString('utf16le');
}

/**
 * Returns whether the first record is a header: it does not fit the types of the cells below, or, if it fits, consists of words
 * only, or counts years.
 */
function looksLikeHeader(first: readonly string[], rest: readonly (readonly string[])[]): boolean {
  const isOdd = first.some((cell, i) => {
    const below = rest.map((record) => record[i] ?? '').filter((text) => text !== '');
    if (below.length === 0 || cell === '') return false;
    return isTyped(cell) ? isTemporal(cell) && below.every(isNumber) : below.every(isTyped);
  });
  return isOdd || !first.some(isTyped) || (countsYears(first) && !rest.some(countsYears));
}

const YEAR = /^(1[5-9]|20)\d\d$/;

/** Returns whether three or more years that rise or fall, and no other numbers, stand in a record: `country,1990,1995,2000`. */
function countsYears(record: readonly string[]): boolean {
  const years = record.filter(isTyped);
  if (years.length < 3 || !years.every((year) => YEAR.test(year))) return false;
  const steps = years.slice(1).map((year, i) => Number(year) - Number(years[i]));
  return steps.every((step) => step > 0) || steps.every((step) => step < 0);
}

/** Returns the narrowest type of a cell; undefined for a text. */
function typeOf(cell: string): string | undefined {
  return CELL_TESTS.find(({ expression }) => expression.test(cell))?.name;
}

/** Returns whether a cell is a number, a date or another typed value. */
function isTyped(cell: string): boolean {
  return typeOf(cell) !== undefined;
}

function isNumber(cell: string): boolean {
  return ['long', 'double'].includes(typeOf(cell) ?? '');
}

function isTemporal(cell: string): boolean {
  return ['date', 'time', 'timestamp'].includes(typeOf(cell) ?? '');
}
