/** How much of a program is compiled where queries are served: some 200 lines, 20 to 30 ms. A thread takes longer to start. */
const MOST_PARTS = 3000;
/** Of a text that is only read, so many characters are as much work as one part. */
const CHARACTERS_PER_PART = 8;

/** More than the event loop can be held for: the program is to be compiled in a thread of its own. */
export class TooMuchWork extends Error {}

/** What is left to one compilation; each part of the program counts as often as it is worked on. */
export interface CompileBudget {
  /** Throws TooMuchWork where nothing is left. */
  readonly onPart: () => void;
  /** A text is about to be read: the program itself, a view or a package. */
  readonly onText: (text: string) => void;
}

/** A budget for a compilation; the default is one that nothing else waits for too long. */
export function createCompileBudget(parts = MOST_PARTS): CompileBudget {
  let left = parts;
  const spend = (spent: number): void => {
    left -= spent;
    if (left < 0) throw new TooMuchWork();
  };
  return { onPart: () => spend(1), onText: (text) => spend(text.length / CHARACTERS_PER_PART) };
}
