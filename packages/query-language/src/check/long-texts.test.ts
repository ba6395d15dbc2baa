import { parseProgram } from '../syntax/parse.ts';
import { parseType } from '../types/parse.ts';
import { checkProgram } from './check-program.ts';
import { plainEnvironment } from './testing/plain-environment.ts';

/** Length at which a quadratic algorithm takes many seconds. */
const LONG = 80_000;
const MANY = 20_000;
/** Time limit in milliseconds, well above linear and well below quadratic time. */
const MOST_MILLIS = 10_000;

const repeat = (text: string, times = LONG): string => text.repeat(times);
const list = (item: (i: number) => string, count = MANY): string => Array.from({ length: count }, (_, i) => item(i)).join(', ');

function firstFault(text: string, args: ReadonlyMap<string, string> | null = null): string {
  const { tree, diagnostics } = parseProgram(text);
  const faults = tree === null ? diagnostics : checkProgram(tree, plainEnvironment({}), { arguments: args }).diagnostics;
  return faults[0]?.message ?? 'none';
}

/** Returns the beginning of the result of `run`, or a note that it exceeded the time limit. */
function inTime(run: () => string): string {
  const start = performance.now();
  const answer = run().slice(0, 200);
  const millis = performance.now() - start;
  return millis < MOST_MILLIS ? answer : `took ${Math.round(millis)} ms`;
}

describe('a long text of a literal is read in even time', () => {
  test.each([
    ['timestamp', `${repeat('T')} a b`],
    ['timestamp', `2001-01-01${repeat(' ')}x`],
    ['timestamp', `2001-01-01 00:00:00.${repeat('1')}x`],
    ['date', repeat('1')],
    ['time', repeat('1:')],
    ['interval', `${repeat('1')} days`],
    ['interval', `${repeat('1 day ', MANY)}x`],
    ['interval', `P${repeat('1Y')}`],
  ])('%s, text %#', (type, text) => {
    const message = `'${text.slice(0, 100)}…' is not ${type === 'interval' ? 'an' : 'a'} ${type}: it has more than 1000 characters`;
    expect(inTime(() => firstFault(`${type} "${text}"`))).toBe(message);
  });

  it('a regex of more than 1000 characters is refused', () => {
    expect(inTime(() => firstFault(`r"${repeat('\\\\pL')}"`))).toBe('invalid regular expression: it has more than 1000 characters');
  });
});

describe('a long text of an argument is read in even time', () => {
  test.each([
    ['double', `${repeat('1')}x`],
    ['double', repeat('.')],
    ['int', `${repeat('0')}.${repeat('0')}x`],
    ['int', repeat('1')],
    ['long', `0x${repeat('f')}`],
    ['long', `1e${repeat('1')}`],
    ['decimal', `${repeat('1')}x`],
    ['interval', `${repeat('1')} days`],
    ['timestamp', `${repeat('T')} a b`],
  ])('%s, text %#', (type, text) => {
    expect(inTime(() => firstFault(`\\(x: ${type}) -> x`, new Map([['x', text]])))).toBe(`argument x cannot be cast to ${type}`);
  });

  it('base64 of megabytes within JSON is taken, and what is none is not', () => {
    const check = (bytes: string): string => firstFault('\\(x: collection(binary)) -> x', new Map([['x', JSON.stringify([bytes])]]));
    expect(inTime(() => check(repeat('abcd', 2_000_000)))).toBe('none');
    expect(inTime(() => check(`${repeat('abcd', 2_000_000)}=`))).toBe('argument x cannot be cast to collection(binary): [0] is no binary');
    for (const bytes of ['YQ==', 'YWI=', 'YWJj', '']) expect(check(bytes)).toBe('none');
    for (const bytes of ['YQ=', 'Y===', '=', 'YQ', 'Y*==']) expect(check(bytes)).not.toBe('none');
  });

  it('zeros in front of a number do not count', () => {
    const check = (type: string, text: string): string => firstFault(`\\(x: ${type}) -> x`, new Map([['x', text]]));
    expect(check('int', `${repeat('0')}7`)).toBe('none');
    expect(check('int', `7.${repeat('0')}`)).toBe('none');
    expect(check('byte', `${repeat('0')}128`)).toBe('argument x cannot be cast to byte');
  });
});

describe('many names are checked in even time', () => {
  const typeFault = (text: string): string => {
    const parsed = parseType(text);
    return 'diagnostics' in parsed ? (parsed.diagnostics[0]?.message ?? '') : 'none';
  };

  test.each([
    [`collection(record(${list((i) => `f${i}: int`, 2000)}))`, 'none'],
    [`collection(record(${list((i) => `f${i}: int`)}))`, 'a record type has at most 2000 fields, and this one has 20000'],
    [`collection(record(${list(() => 'f: int')}))`, 'a record type has at most 2000 fields, and this one has 20000'],
    [`(${list((i) => `x${i}: inta`)}) -> int`, 'inta is not a type, did you mean int?'],
  ])('type %#', async (type, message) => {
    expect(inTime(() => typeFault(type))).toBe(message);
  });

  test.each([
    [`(${list(() => 'f: 1')})`, 'record has more than one field with the same name: f'],
    [`\\(${list(() => 'f: int')}) -> 1`, 'f is declared more than once'],
    [`${list(() => 'f := 1;').replaceAll(',', '')} 1`, 'f is declared more than once'],
    [`${list((i) => `f(x${i}: int) := 1;`, 5000).replaceAll(',', '')} 1`, 'f is declared more than once'],
    [`SELECT ${list(() => 'x.*', 3000)} FROM [(a: 1)] x`, 'none'],
    [`SELECT 1 FROM ${list(() => '[1] a', 2000)}`, 'a is declared more than once'],
    [`[${list((i) => `\`${repeat('a', 3000)}${i}\``, 100)}]`, `${repeat('a', 200)}`],
  ])('program %#', async (program, message) => {
    expect(inTime(() => firstFault(program))).toBe(message);
  });
});
