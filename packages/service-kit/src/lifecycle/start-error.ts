/** Reports in one line why a process cannot start, for the operator; the cause is for debugging. */
export class StartError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StartError';
  }
}
