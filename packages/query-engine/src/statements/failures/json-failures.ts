import { UNSEEN } from '@svc/text-formats';

import { fixed, lowerFirst, type FailureRule } from './failure-rule.ts';

/** JSON errors of the engine, with the line or the element in a file, the byte in a value. */
export const JSON_FAILURES: readonly FailureRule[] = [
  {
    pattern:
      /^Invalid Input Error: JSON transform error in file ("?)([\s\S]*?)\1, in (line|record\/value) (\d+): .* has unknown key "(.*)"$/m,
    read: (m) => ({
      failureClass: 'json',
      message: `${placeWord(m[3])} ${m[4] ?? ''}: the member ${m[5] ?? ''} ${UNSEEN}`,
      details: { sourceLine: Number(m[4]), sourcePath: m[2], line: undefined, isUnknownMember: true },
    }),
  },
  {
    pattern: /^Invalid Input Error: JSON transform error in file ("?)([\s\S]*?)\1, in (line|record\/value) (\d+): ([^\n]*)/,
    read: (m) => ({
      failureClass: 'json',
      message: `${placeWord(m[3])} ${m[4] ?? ''}: ${withoutPaths(lowerFirst(m[5] ?? ''))}`,
      details: { sourceLine: Number(m[4]), sourcePath: m[2], line: undefined },
    }),
  },
  {
    pattern: /^Invalid Input Error: Malformed JSON in file ("?)([\s\S]*?)\1, at byte (\d+) in (line|record\/value) (\d+): ([^\n]*)/,
    read: (m) => ({
      failureClass: 'json',
      message: `malformed JSON near ${placeWord(m[4])} ${m[5] ?? ''}: ${withoutPaths(m[6] ?? '').trim()}`,
      details: { sourceLine: Number(m[5]), sourcePath: m[2], line: undefined },
    }),
  },
  fixed(/^Invalid Input Error: (?:"maximum_object_size"|.*maximum_object_size)/, 'json', 'one JSON value is larger than what may be read'),
  {
    pattern: /^Conversion Error: Malformed JSON at byte (\d+) of input: ([^.\n]*)/,
    read: (m) => ({ failureClass: 'cast', message: `malformed JSON at byte ${m[1] ?? ''}: ${m[2] ?? ''}` }),
  },
  fixed(/^Invalid Input Error: JSON/, 'json', 'the file cannot be read as JSON'),
];

function placeWord(engineWord: string | undefined): string {
  return engineWord === 'line' ? 'line' : 'element';
}

function withoutPaths(text: string): string {
  return text.replace(/"?\/[^\s"]*\/[^\s"]*"?/g, '…');
}
