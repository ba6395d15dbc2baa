import { createHash } from 'node:crypto';

import { textOf } from '../values/convert.ts';
import { inOrder } from '../values/order.ts';
import type { Bytes, CollectionValue, Value } from '../values/value.ts';
import { RunTimeError, Unpromised, ordered } from '../values/value.ts';
import type { Rule } from './function-rule.ts';

const ofText =
  (rule: (text: string, other: string, third: string) => Value): Rule =>
  ([text = null, other = '', third = '']) =>
    rule(textOf(text), textOf(other), textOf(third));

const characters = (text: string): readonly string[] => [...text];

/** Implements a function of a text and a count; generated counts are small, and negative for LEFT and RIGHT alone. */
const ofCount =
  (rule: (characters: readonly string[], count: number, fill: string) => string): Rule =>
  ([text = null, count = null, fill = '']) =>
    rule(characters(textOf(text)), Number(count), textOf(fill));

const filling = (length: number, fill: string): string => (length <= 0 ? '' : characters(fill.repeat(length)).slice(0, length).join(''));

/** Functions of texts. */
export const TEXT_FUNCTIONS: Readonly<Record<string, Rule>> = {
  UPPER: ofText((text) => text.toUpperCase()),
  LOWER: ofText((text) => text.toLowerCase()),
  TRIM: ofText((text) => text.trim()),
  LTRIM: ofText((text) => text.trimStart()),
  RTRIM: ofText((text) => text.trimEnd()),
  CAPITALIZE: ofText((text) => {
    const [first = '', ...rest] = characters(text);
    return first.toUpperCase() + rest.join('');
  }),
  INITCAP: ofText((text) =>
    text.replaceAll(/[\p{L}\p{M}\p{N}]+/gu, (word) => {
      const [first = '', ...rest] = characters(word);
      return first.toUpperCase() + rest.join('').toLowerCase();
    }),
  ),
  LEFT: ofCount((text, count) => text.slice(0, count).join('')),
  RIGHT: ofCount((text, count) => text.slice(count < 0 ? -count : Math.max(0, text.length - count)).join('')),
  SUBSTRING: ([text = null, from, count = -1n]) => {
    const rest = characters(textOf(text)).slice(Number(from) - 1);
    return (Number(count) < 0 ? rest : rest.slice(0, Number(count))).join('');
  },
  LPAD: ofCount((text, length, fill) => filling(length - text.length, fill) + text.slice(0, length).join('')),
  RPAD: ofCount((text, length, fill) => text.slice(0, length).join('') + filling(length - text.length, fill)),
  REPLICATE: ofCount((text, count) => text.join('').repeat(count)),
  REPLACE: ([text = null, what = null, by = null], { arguments: [, second] }) =>
    second?.kind === 'regex'
      ? textOf(text).replaceAll(new RegExp(second.pattern, 'gu'), textOf(by))
      : textOf(text).replaceAll(textOf(what), () => textOf(by)),
  SPLIT: ofText((text, separator) => ordered(text.split(separator))),
  MKSTRING: ([texts = null, separator = null]) =>
    inOrder(texts as CollectionValue)
      .filter((text) => text !== null)
      .map(textOf)
      .join(textOf(separator)),
  STRING: ofText((text) => text),
  CHR: ([code]) => String.fromCodePoint(Number(code)),
  ASCII: ofText((text) => {
    if (text === '') throw new Unpromised('the first of no characters');
    return BigInt(text.codePointAt(0) ?? 0);
  }),
  ENCODE: ofText((text) => ofBytes(Buffer.from(text, 'utf8'))),
  DECODE: ([bytes = null]) => textOfBytes(bytesOf(bytes)),
  HEX: ([bytes = null]) => bytesOf(bytes).toString('hex'),
  BASE64: ([bytes = null]) => bytesOf(bytes).toString('base64'),
  FROM_HEX: ofText((text) => ofBytes(Buffer.from(text, 'hex'))),
  FROM_BASE64: ofText((text) => ofBytes(Buffer.from(text, 'base64'))),
  SHA256: ([bytes = null]) => ofBytes(createHash('sha256').update(bytesOf(bytes)).digest()),
  MD5: ([bytes = null]) => ofBytes(createHash('md5').update(bytesOf(bytes)).digest()),
  URL_ENCODE: ofText((text) => encodeURIComponent(text)),
  STARTS_WITH: ofText((text, start) => text.startsWith(start)),
  ENDS_WITH: ofText((text, end) => text.endsWith(end)),
  CHARINDEX: ofText((what, text) => {
    const place = text.indexOf(what);
    return BigInt(place < 0 ? 0 : characters(text.slice(0, place)).length + 1);
  }),
  COUNT_SUBSTRING: ofText((text, what) => BigInt(text.split(what).length - 1)),
  LEVENSHTEIN: ofText((a, b) => BigInt(distanceOf(new TextEncoder().encode(a), new TextEncoder().encode(b)))),
  LENGTH: ofText((text) => BigInt(characters(text).length)),
  MATCHES: ofText((text, pattern) => wholeMatch(text, pattern) !== null),
  FIRST_MATCH: ofText((text, pattern) => new RegExp(pattern, 'u').exec(text)?.[0] ?? null),
  GROUPS: ofText((text, pattern) => {
    const found = wholeMatch(text, pattern);
    return found === null ? null : ordered(found.map(orNull));
  }),
  PARSE: ofText((text, pattern) => {
    const parsed = parsedBy(text, pattern);
    if (parsed === undefined) throw new RunTimeError('does not match');
    return parsed;
  }),
  TRY_PARSE: ofText((text, pattern) => parsedBy(text, pattern) ?? null),
};

function ofBytes(buffer: Buffer): Bytes {
  return { kind: 'bytes', hex: buffer.toString('hex') };
}

function bytesOf(value: Value): Buffer {
  if (typeof value !== 'object' || value?.kind !== 'bytes') throw new Error('no bytes');
  return Buffer.from(value.hex, 'hex');
}

function textOfBytes(buffer: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    throw new RunTimeError('no UTF-8');
  }
}

/** Returns the edit distance in bytes: insertions, deletions and substitutions. */
function distanceOf(a: Uint8Array, b: Uint8Array): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, left] of a.entries()) {
    const next = [i + 1];
    for (const [j, right] of b.entries())
      next.push(Math.min((row[j] ?? 0) + Number(left !== right), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Returns the captures of a regex that matches the whole text; null if it does not match. */
function wholeMatch(text: string, pattern: string): readonly (string | undefined)[] | null {
  return new RegExp(`^(?:${pattern})$`, 'u').exec(text)?.slice(1) ?? null;
}

/** A group that did not participate or matched nothing is NULL. */
function orNull(group: string | undefined): string | null {
  return group === undefined || group === '' ? null : group;
}

/** Returns the text if there is no group, the capture of one group, a record of several; undefined if the regex does not match. */
function parsedBy(text: string, pattern: string): Value | undefined {
  const groups = wholeMatch(text, pattern);
  if (groups === null) return undefined;
  const [first, another] = groups;
  if (groups.length === 0) return text;
  return groups.length === 1 && another === undefined ? orNull(first) : { kind: 'record', values: groups.map(orNull) };
}

/** `texts PARSE AS regex`: maps each text; one that does not match yields NULL or is skipped. */
export function parseAll(texts: CollectionValue, pattern: string, onFail: 'skip' | 'null'): Value {
  const parse = (text: Value): readonly Value[] => {
    const parsed = text === null ? null : parsedBy(textOf(text), pattern);
    if (parsed === undefined) return onFail === 'skip' ? [] : [null];
    return [parsed];
  };
  return { kind: 'collection', blocks: texts.blocks.map((block) => block.flatMap(parse)) };
}
