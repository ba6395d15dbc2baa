import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
/** Key of the global with the event handlers of Jest for a file. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

/**
 * Loads test files with Node, as services are loaded. A module is loaded and optimized once per worker; Jest's own runtime does
 * both again for each test file, which took half of the processor time of tests.
 */
export default class NodeRuntime {
  requireModule = require;

  /** @param {string} path */
  async unstable_importModule(path) {
    await import(pathToFileURL(path).href);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /**
   * Loads the part of Jest that collects tests, with a new state for each test file.
   * @param {string} path
   * @returns {unknown}
   */
  requireInternalModule(path) {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, HANDLERS);
    return require(path);
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return {};
  }

  // Modules are not isolated, so there is nothing to do at these events.
  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
