/** The database cannot be taken back to the version asked for; its message is one line for the operator. */
export class DowngradeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DowngradeError';
  }
}
