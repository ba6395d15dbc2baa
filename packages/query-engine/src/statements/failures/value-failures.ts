import { fixed, type FailureRule } from './failure-rule.ts';

/** Failures of values that are not quoted: overflow, division, bytes that are not text. */
export const VALUE_FAILURES: readonly FailureRule[] = [
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
    /^(?:Out of Range Error|Conversion Error): (?:Overflow[^\n]*DECIMAL|Overflow in HUGEINT addition|Casting value "[^"]*" to type DECIMAL)/,
    'overflow',
    'decimal overflow',
  ),
  fixed(/^(?:Out of Range Error|Conversion Error): (?:Overflow|SUM is out of range)/, 'overflow', 'integer overflow'),
  fixed(/^Out of Range Error: (?:STDDEV|VARIANCE|VAR|COVAR|CORR)/i, 'overflow', 'the result is out of range'),
  fixed(/^(?:Out of Range Error|Invalid Input Error): [^\n]*[Dd]ivision by zero/, 'division-by-zero', 'division by zero'),
  { pattern: /^Out of Range Error: (cannot take [^\n]*)/, read: (m) => ({ failureClass: 'overflow', message: m[1] ?? '' }) },
  fixed(/^Out of Range Error: Cannot create a string of size/, 'overflow', 'a string is too long'),
  fixed(/^Conversion Error: Failure in decode/, 'cast', 'bytes that are not UTF-8'),
  fixed(/^Invalid Input Error: Invalid input for hex digit/, 'cast', 'not hexadecimal'),
  fixed(/^Invalid Input Error: Invalid UTF8 Codepoint/, 'cast', 'no such code point'),
  fixed(
    /^(?:Conversion Error|Invalid Input Error|Out of Range Error): (?:Unimplemented type for cast|Failed to cast|Could not (?:convert|cast)|Casting)/,
    'cast',
    'the value cannot be converted',
  ),
];
