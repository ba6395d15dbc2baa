/** Why a process cannot start, in one line for the operator; the cause is for debugging. */
export class StartError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StartError';
  }
}
