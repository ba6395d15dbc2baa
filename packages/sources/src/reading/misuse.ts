/** The query requests something that no source could provide: TRY_READ fails, too. The message is for its author. */
export class Misuse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Misuse';
  }
}
