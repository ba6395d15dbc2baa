/** Amount of compilation on the event loop: some 200 lines, 20 to 30 ms. Starting a thread takes longer. */
const MOST_PARTS = 3000;
/** Number of characters of a parsed text that count as one part. */
const CHARACTERS_PER_PART = 8;

/** Thrown when the budget is spent: the program must be compiled in a thread. */
export class TooMuchWork extends Error {}

/** Remaining budget of a compilation; each part of the program counts as often as it is processed. */
export interface CompileBudget {
  /** Throws TooMuchWork if the budget is exhausted. */
  readonly onPart: () => void;
  /** A text is about to be read: the program itself, a view or a package. */
  readonly onText: (text: string) => void;
}

/** Creates a budget for one compilation. The default keeps other work from waiting too long. */
export function createCompileBudget(parts = MOST_PARTS): CompileBudget {
  let left = parts;
  const spend = (spent: number): void => {
    left -= spent;
    if (left < 0) throw new TooMuchWork();
  };
  return { onPart: () => spend(1), onText: (text) => spend(text.length / CHARACTERS_PER_PART) };
}
