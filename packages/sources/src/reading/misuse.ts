/** The query asks for what no source could give: also TRY_READ fails of it. The message is for its author. */
export class Misuse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Misuse';
  }
}
