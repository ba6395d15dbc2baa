import { isUtf8 } from 'node:buffer';

import { hasLongNumbers, withDecimalTexts, type Type } from '@svc/query-language';

const LINE_FEED = 0x0a;

/**
 * Puts decimals of many digits in JSON lines into quotes: the engine reads a number with a point or an exponent as a double. All else stays
 * unchanged.
 */
export async function* withLongDecimals(body: AsyncIterable<Uint8Array>, rowType: Type): AsyncGenerator<Uint8Array> {
  let open: Uint8Array[] = [];
  for await (const piece of body) {
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      yield rewritten(Buffer.concat([...open, piece.subarray(0, end)]), rowType);
      open = [];
    }
    if (end < piece.byteLength) open.push(piece.subarray(end));
  }
  yield rewritten(Buffer.concat(open), rowType);
}

function rewritten(lines: Buffer, rowType: Type): Buffer {
  if (!hasLongNumbers(lines.toString('latin1'))) return lines;
  const pieces: Buffer[] = [];
  for (let start = 0; start < lines.byteLength;) {
    const feed = lines.indexOf(LINE_FEED, start);
    const end = feed < 0 ? lines.byteLength : feed + 1;
    pieces.push(rewrittenLine(lines.subarray(start, end), rowType));
    start = end;
  }
  return Buffer.concat(pieces);
}

function rewrittenLine(line: Buffer, rowType: Type): Buffer {
  // Decoding would repair bytes that are not UTF-8, which the engine refuses.
  if (!hasLongNumbers(line.toString('latin1')) || !isUtf8(line)) return line;
  const text = line.toString();
  const exact = withDecimalTexts(text, rowType);
  return exact === text ? line : Buffer.from(exact);
}
