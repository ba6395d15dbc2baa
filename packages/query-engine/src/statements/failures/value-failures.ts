import { cutValue, fixed, type FailureReading, type FailureRule } from './failure-rule.ts';
import { typeWord } from './type-word.ts';

/** What fails in values: casts, ranges, division, texts that no template fits. */
export const VALUE_FAILURES: readonly FailureRule[] = [
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
    pattern:
      /^(?:Out of Range Error|Conversion Error): (?:(?:Date|Timestamp|Time|Interval)[^\n]* out of (?:range|bounds)|[^\n]*(?:not in|overflows) timestamp range|Unable to convert TIMESTAMPTZ)/,
    read: () => ({ failureClass: 'overflow', message: 'date or time out of range' }),
  },
  fixed(
    /^Out of Range Error: (?:Overflow|Cannot (?:add|subtract|negate))[^\n]*(?:DATE|TIMESTAMP|INTERVAL|interval|date|timestamp)/,
    'overflow',
    'date or time out of range',
  ),
  fixed(
    /^(?:Out of Range Error|Conversion Error): (?:Overflow[^\n]*DECIMAL|Casting value "[^"]*" to type DECIMAL)/,
    'overflow',
    'decimal overflow',
  ),
  fixed(/^(?:Out of Range Error|Conversion Error): (?:Overflow|SUM is out of range)/, 'overflow', 'integer overflow'),
  fixed(/^Out of Range Error: (?:STDDEV|VARIANCE|VAR)/i, 'overflow', 'the result is out of range'),
  fixed(/^(?:Out of Range Error|Invalid Input Error): [^\n]*[Dd]ivision by zero/, 'division-by-zero', 'division by zero'),
  { pattern: /^Out of Range Error: (cannot take [^\n]*)/, read: (m) => ({ failureClass: 'overflow', message: m[1] ?? '' }) },
  fixed(/^Out of Range Error: Cannot create a string of size/, 'overflow', 'a string is too long'),
  {
    pattern: /^Invalid Input Error: Could not parse string "([\s\S]*?)" according to format specifier/,
    read: (m) => ({ failureClass: 'cast', message: `'${cutValue(m[1] ?? '')}' does not fit the template` }),
  },
  {
    pattern: /^(?:Not implemented|Invalid Input) Error: Unknown TimeZone '([^'\n]*)'/,
    read: (m) => ({ failureClass: 'cast', message: `unknown time zone '${m[1] ?? ''}'` }),
  },
  fixed(/^Conversion Error: Failure in decode/, 'cast', 'bytes that are not UTF-8'),
  fixed(/^Conversion Error: Could not decode string "[\s\S]*" as base64/, 'cast', 'not base64'),
  fixed(/^Invalid Input Error: Invalid input for hex digit/, 'cast', 'not hexadecimal'),
  fixed(/^Invalid Input Error: Invalid UTF8 Codepoint/, 'cast', 'no such code point'),
  fixed(
    /^(?:Conversion Error|Invalid Input Error|Out of Range Error): (?:Unimplemented type for cast|Failed to cast|Could not (?:convert|cast)|Casting)/,
    'cast',
    'the value cannot be converted',
  ),
];

function rangeFailure(value: string, source: string, target: string): FailureReading {
  // A date is carried as the number of its day.
  if (/^-?\d+-\d\d-\d\d/.test(value)) return { failureClass: 'overflow', message: 'date or time out of range' };
  const isInteger = ['byte', 'short', 'int', 'long', 'integer'].includes(target) && /INT/.test(source);
  return isInteger
    ? { failureClass: 'overflow', message: 'integer overflow' }
    : { failureClass: 'cast', message: `${value} is out of the range of ${target}` };
}
