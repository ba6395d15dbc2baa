const LINE_FEED = 0x0a;

/** Measures the longest line of a text received in chunks. */
export function longestRow(): { readonly take: (piece: Buffer) => void; readonly bytes: () => number } {
  let [open, longest] = [0, 0];
  return {
    take: (piece) => {
      let from = 0;
      for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
        longest = Math.max(longest, open + end + 1 - from);
        from = end + 1;
        open = 0;
      }
      open += piece.byteLength - from;
    },
    bytes: () => Math.max(longest, open),
  };
}
