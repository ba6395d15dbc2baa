import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ApplicationStore } from '@svc/database';
import { parseDefinition, type DefinitionProblem } from '@svc/endpoints';
import { isServiceError } from '@svc/errors';
import type { Logger } from '@svc/service-kit';

import type { ApplicationAdministration, DefinitionFiles, FileFault } from './application-administration.ts';

/** Location of definition files, and the administration that stores them. */
export interface EndpointFilesOptions {
  readonly directory: string;
  readonly administration: Pick<ApplicationAdministration, 'store'>;
  readonly applications: ApplicationStore;
  readonly logger: Logger;
  readonly pollMillis?: number;
}

/** The definitions of a folder. */
export interface EndpointFiles extends DefinitionFiles {
  readonly close: () => Promise<void>;
}

const POLL_MILLIS = 1_000;
const FILE = /^([a-z][a-z0-9-]{0,63})\.yaml$/;
/** Files that were probably meant to be definitions; those of editors begin with a dot. */
const MISNAMED = /^[^.].*\.(yaml|yml|json)$/i;
/** The actor in the audit trail. */
const ACTOR = 'SVC_ENDPOINTS_DIR';

/**
 * Keeps the applications in line with the files of a folder, `<name>.yaml` each. Polls once a second: file system
 * notifications miss changes of mounted folders. An invalid file leaves the last valid version in place, and is retried; a
 * deleted file deletes its application. A folder that cannot be read changes nothing.
 */
export function watchEndpointFiles(options: EndpointFilesOptions): EndpointFiles {
  const stop = new AbortController();
  const folder = new EndpointFolder(options);
  const work = (async () => {
    while (!stop.signal.aborted) {
      await folder.look();
      await delay(options.pollMillis ?? POLL_MILLIS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    faults: () => folder.faults,
    has: (name) => folder.has(name),
    close: async () => {
      stop.abort();
      await work;
    },
  };
}

class EndpointFolder {
  readonly faults = new Map<string, FileFault>();
  readonly #options: EndpointFilesOptions;
  /** The texts that are stored, by name. */
  readonly #stored = new Map<string, string>();
  /** The files that are there now. */
  #files: readonly string[] = [];
  /** Those that were there at the last look, whose applications are deleted with them. */
  #names: readonly string[] | null = null;
  #isReadable = true;

  constructor(options: EndpointFilesOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#files.includes(name);
  }

  async look(): Promise<void> {
    const { directory, logger } = this.#options;
    try {
      const files = await readdir(directory);
      const names = files.flatMap((file) => FILE.exec(file)?.[1] ?? []);
      this.#files = names;
      this.#noteMisnamed(files.filter((file) => MISNAMED.test(file) && !FILE.test(file)));
      for (const name of names) await this.#read(name);
      await this.#forget(names);
      this.#isReadable = true;
    } catch (error) {
      if (this.#isReadable)
        logger.warn({ err: error, directory }, 'the definitions of SVC_ENDPOINTS_DIR cannot be read now: nothing changes');
      this.#isReadable = false;
    }
  }

  async #read(name: string): Promise<void> {
    const read = await readText(join(this.#options.directory, `${name}.yaml`));
    if (read.kind === 'text' && this.#stored.get(name) === read.text) return;
    const found = read.kind === 'text' ? await this.#store(name, read.text) : { namespace: null, problems: read.problems };
    if (read.kind === 'text' && found === null) {
      this.faults.delete(name);
      this.#stored.set(name, read.text);
    }
    if (found === null) return;
    const fault = { ...found, namespace: found.namespace ?? (await this.#lastOwner(name)) };
    this.#note(name, fault);
    this.#stored.delete(name);
  }

  #note(name: string, fault: FileFault): void {
    if (JSON.stringify(fault) !== JSON.stringify(this.faults.get(name)))
      this.#options.logger.warn({ application: name, problems: fault.problems }, 'a definition of SVC_ENDPOINTS_DIR cannot be used');
    this.faults.set(name, fault);
  }

  /** A file that is silently not read would look like an application that is lost. No application has a dot in its name. */
  #noteMisnamed(files: readonly string[]): void {
    for (const name of [...this.faults.keys()].filter((one) => one.includes('.') && !files.includes(one))) this.faults.delete(name);
    const message =
      'the file is not read: a definition is called <application>.yaml, with a lower-case letter, then lower-case letters, digits and "-"';
    for (const file of files) this.#note(file, { namespace: null, problems: [{ message, path: '' }] });
  }

  async #store(name: string, text: string): Promise<FileFault | null> {
    const mediaType = 'application/yaml';
    const parsed = parseDefinition(text, { mediaType, name, isFile: true });
    if (parsed.kind === 'problems') return parsed;
    const namespace = parsed.namespace ?? '';
    const before = await this.#options.applications.get(name);
    if (before?.origin === 'file' && before.namespace === namespace && before.definition === text) return null;
    const fault = (problems: readonly DefinitionProblem[]): FileFault => ({ namespace, problems });
    try {
      const put = { name, text, mediaType, namespace, actor: ACTOR };
      const stored = await this.#options.administration.store(put, { content: parsed.content, origin: 'file' });
      return stored === 'taken'
        ? fault([{ message: 'the name belongs to an application of another namespace', path: '/application' }])
        : null;
    } catch (error) {
      if (!isServiceError(error) || error.code !== 'application_invalid') throw error;
      // In the form of `application_invalid`.
      return fault(error.members['problems'] as readonly DefinitionProblem[]);
    }
  }

  /** A file that names no owner any more is a fault of the application that it was. */
  async #lastOwner(name: string): Promise<string | null> {
    const stored = await this.#options.applications.get(name);
    return stored?.origin === 'file' ? stored.namespace : null;
  }

  /** Deletes the applications whose files are gone, including those removed while the service was down. */
  async #forget(names: readonly string[]): Promise<void> {
    const before = this.#names ?? (await this.#options.applications.listFiles()).map(({ name }) => name);
    for (const name of before.filter((one) => !names.includes(one))) {
      this.faults.delete(name);
      this.#stored.delete(name);
      const stored = await this.#options.applications.get(name);
      if (stored?.origin === 'file') await this.#options.applications.delete({ namespace: stored.namespace, name, actor: ACTOR });
    }
    this.#names = names;
  }
}

type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problems'; readonly problems: readonly DefinitionProblem[] };

/** A file that cannot be read is a fault of its own application: the others go on. */
async function readText(path: string): Promise<ReadText> {
  try {
    const bytes = await readFile(path);
    if (!isUtf8(bytes)) return { kind: 'problems', problems: [{ message: 'the file is not UTF-8 text', path: '' }] };
    return { kind: 'text', text: bytes.toString() };
  } catch (error) {
    // An error of a system call, which has a code.
    const { code = '' } = error as NodeJS.ErrnoException;
    return { kind: 'problems', problems: [{ message: `the file cannot be read (${code})`, path: '' }] };
  }
}
