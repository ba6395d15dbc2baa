/** The text without what matches at its end, character by character: a regex with `+$` looks for the end behind each run of them. */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
