const EXIT = process.exit.bind(process);

/**
 * Test environment in the realm of the worker: the files of a worker share its modules and its globals. It restores what
 * Jest replaces for a file, and the environment variables; a file restores other globals that it replaces.
 */
export default class WorkerEnvironment {
  global = globalThis;
  #console = globalThis.console;
  #env = { ...process.env };

  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    globalThis.console = this.#console;
    process.exit = EXIT;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }
}
