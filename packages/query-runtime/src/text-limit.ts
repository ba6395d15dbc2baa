/** Thrown when the texts of a program exceed their limit. */
export class TextsTooLong extends Error {}

/** Called with each text before it is parsed: the program itself, and the views and packages that it names. */
export type OnText = (text: string) => void;

/** Limits the characters of the texts of one program; throws TextsTooLong at the text that exceeds them. */
export function limitTexts(characters: number): OnText {
  let left = characters;
  return (text) => {
    left -= text.length;
    if (left < 0) throw new TextsTooLong();
  };
}
