import { cutValue, fixed, type FailureReading, type FailureRule } from './failure-rule.ts';
import { typeWord } from './type-word.ts';

/** Failed conversions, whose message quotes the value: its text must not be mistaken for the engine's words. */
export const CAST_FAILURES: readonly FailureRule[] = [
  {
    pattern:
      /^(?:Conversion Error|Out of Range Error|Invalid Input Error): Type (\S+) with value ([\s\S]*?) can't be cast (?:because the value is out of range for|to) the destination type (\w+(?:\(\d+,\d+\))?)/,
    read: (m) => rangeFailure(m[2] ?? '', m[1] ?? '', typeWord(m[3] ?? '')),
  },
  {
    pattern: /^Conversion Error: Could not convert string ('[\s\S]*') to ([A-Z0-9_ ]+?(?:\(\d+,\d+\))?)(?: when casting[^\n]*)?(?:\n|$)/,
    read: (m) => ({ failureClass: 'cast', message: `cannot cast ${cutValue(m[1] ?? '')} to ${typeWord(m[2] ?? '')}` }),
  },
  {
    pattern: /^Conversion Error: Could not convert string "([\s\S]*)" to DECIMAL/,
    read: (m) => ({ failureClass: 'cast', message: `cannot cast '${cutValue(m[1] ?? '')}' to decimal` }),
  },
  {
    pattern: /^Conversion Error: (?:invalid )?(date|time|timestamp) field (?:format|value out of range): "([\s\S]*?)", expected/,
    read: (m) => ({ failureClass: 'cast', message: `cannot cast '${cutValue(m[2] ?? '')}' to ${m[1] ?? ''}` }),
  },
  {
    pattern: /^Conversion Error: (date|time|timestamp) field value out of range: "([\s\S]*?)"/,
    read: (m) => ({ failureClass: 'cast', message: `cannot cast '${cutValue(m[2] ?? '')}' to ${m[1] ?? ''}` }),
  },
  {
    pattern: /^Conversion Error: Could not cast value ([\s\S]*?) to DECIMAL/,
    read: (m) => ({ failureClass: 'cast', message: `${cutValue(m[1] ?? '')} is out of the range of decimal` }),
  },
  {
    pattern: /^Conversion Error: Failed to cast decimal value (\S+) to type (\w+)/,
    read: (m) => rangeFailure(m[1] ?? '', 'DECIMAL', typeWord(m[2] ?? '')),
  },
  {
    pattern: /^Invalid Input Error: Could not parse string "([\s\S]*?)" according to format specifier/,
    read: (m) => ({ failureClass: 'cast', message: `'${cutValue(m[1] ?? '')}' does not fit the template` }),
  },
  {
    pattern: /^(?:Not implemented|Invalid Input|Conversion) Error: Unknown TimeZone '([^'\n]*)'/,
    read: (m) => ({ failureClass: 'cast', message: `unknown time zone '${m[1] ?? ''}'` }),
  },
  {
    pattern: /^Conversion Error: Malformed JSON at byte (\d+) of input: ([^.\n]*)/,
    read: (m) => ({ failureClass: 'cast', message: `malformed JSON at byte ${m[1] ?? ''}: ${m[2] ?? ''}` }),
  },
  fixed(/^Conversion Error: Could not decode string "[\s\S]*" as base64/, 'cast', 'not base64'),
];

function rangeFailure(value: string, source: string, target: string): FailureReading {
  // A date is carried as the number of its day.
  if (/^-?\d+-\d\d-\d\d/.test(value)) return { failureClass: 'overflow', message: 'date or time out of range' };
  const isInteger = ['byte', 'short', 'int', 'long', 'integer'].includes(target) && /INT/.test(source);
  return isInteger
    ? { failureClass: 'overflow', message: 'integer overflow' }
    : { failureClass: 'cast', message: `${value} is out of the range of ${target}` };
}
