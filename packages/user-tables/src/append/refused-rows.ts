/** Rows of an upload that cannot be stored. The message is a sentence for who sent them: `line 2, field id: expected int …`. */
export class RefusedRows extends Error {
  constructor(problem: string, cause?: unknown) {
    super(problem, { cause });
    this.name = 'RefusedRows';
  }
}
