/** The database cannot be reverted to the requested version; the message is one line for the operator. */
export class DowngradeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DowngradeError';
  }
}
