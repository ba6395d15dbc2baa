const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Measures the longest row of comma-separated text that comes in pieces. A line feed within quotes does not end a row. */
export function longestRow(): { readonly take: (piece: Uint8Array) => void; readonly bytes: () => number } {
  let isQuoted = false;
  let length = 0;
  let longest = 0;
  return {
    take: (piece) => {
      for (const byte of piece) {
        length += 1;
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) {
          longest = Math.max(longest, length);
          length = 0;
        }
      }
    },
    bytes: () => Math.max(longest, length),
  };
}
