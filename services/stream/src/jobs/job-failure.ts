/** A person must act before a stream can go on. The message is its `detail`. */
export class JobFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'JobFailure';
  }
}

/** The run of the stream was stopped: nothing may be written for it. */
export class RunStopped extends Error {
  constructor() {
    super('this run of the stream was stopped');
    this.name = 'RunStopped';
  }
}
