import { ReadFailure } from '@svc/text-formats';

/** Inflates one block in Snappy's raw format. Throws a ReadFailure if the block is invalid. */
export function inflateSnappy(input: Buffer, maxBytes: number): Buffer {
  let at = 0;
  const byte = (): number => {
    const value = input[at];
    if (value === undefined) throw bad();
    at += 1;
    return value;
  };
  const little = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i += 1) value += byte() * 2 ** (8 * i);
    return value;
  };
  const output = Buffer.allocUnsafe(lengthOf(byte, maxBytes));
  let end = 0;
  while (at < input.length) {
    const tag = byte();
    if ((tag & 3) === 0) {
      const short = tag >> 2;
      const length = (short < 60 ? short : little(short - 59)) + 1;
      if (at + length > input.length || end + length > output.length) throw bad();
      input.copy(output, end, at, at + length);
      [at, end] = [at + length, end + length];
      continue;
    }
    const length = (tag & 3) === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const back = (tag & 3) === 1 ? ((tag >> 5) << 8) + byte() : little((tag & 3) === 2 ? 2 : 4);
    if (back === 0 || back > end || end + length > output.length) throw bad();
    // A copy may overlap its own output.
    for (let i = 0; i < length; i += 1) output[end + i] = output[end + i - back] ?? 0;
    end += length;
  }
  if (end !== output.length) throw bad();
  return output;
}

function lengthOf(byte: () => number, maxBytes: number): number {
  let [length, shift] = [0, 0];
  for (;;) {
    const next = byte();
    length += (next & 0x7f) * 2 ** shift;
    if (next < 0x80) break;
    shift += 7;
    if (shift > 28) throw bad();
  }
  if (length > maxBytes) throw new ReadFailure('unreadable', `it is larger than ${maxBytes / 2 ** 20} MB`);
  return length;
}

function bad(): ReadFailure {
  return new ReadFailure('unreadable', 'it cannot be inflated');
}
