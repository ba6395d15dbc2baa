import type { Readable } from 'node:stream';

import type { Entry, ZipFile as Yauzl } from 'yauzl';
import yauzl from 'yauzl';
import { interrupted, isReadFailure, ReadFailure } from '@svc/text-formats';

/** Archives with more entries are not accepted as workbooks. */
const MAX_ENTRIES = 10_000;

/** A ZIP archive whose parts are read as text. */
export class ZipFile {
  readonly #zip: Yauzl;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: Yauzl, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Reads the directory of the archive. Throws a ReadFailure if the file is not a ZIP archive. */
  static async open(path: string): Promise<ZipFile> {
    const zip = await new Promise<Yauzl>((resolve, reject) => {
      yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, opened) => {
        if (error === null) resolve(opened);
        else reject(new ReadFailure('unreadable', 'the file is no Excel workbook (.xlsx)', { cause: error }));
      });
    });
    try {
      return new ZipFile(zip, await entriesOf(zip));
    } catch (thrown) {
      zip.close();
      throw isReadFailure(thrown)
        ? thrown
        : new ReadFailure('unreadable', 'the list of the workbook’s parts is damaged', { cause: thrown });
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** Yields the text of a part. Throws a ReadFailure if the part is missing or damaged. */
  async *text(name: string, signal: AbortSignal): AsyncGenerator<string> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw new ReadFailure('unreadable', `the workbook lacks its part ${name}`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    try {
      const stream = await this.#open(entry);
      try {
        for await (const chunk of stream) {
          if (signal.aborted) throw interrupted(signal.reason);
          yield decoder.decode(chunk as Buffer, { stream: true });
        }
        yield decoder.decode();
      } finally {
        stream.destroy();
      }
    } catch (thrown) {
      throw isReadFailure(thrown) ? thrown : new ReadFailure('unreadable', `the workbook’s part ${name} is damaged`, { cause: thrown });
    }
  }

  close(): void {
    this.#zip.close();
  }

  #open(entry: Entry): Promise<Readable> {
    return new Promise((resolve, reject) => {
      this.#zip.openReadStream(entry, (error, stream) => {
        if (error === null) resolve(stream);
        else reject(error);
      });
    });
  }
}

function entriesOf(zip: Yauzl): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName.toLowerCase(), entry);
      if (entries.size > MAX_ENTRIES) reject(new ReadFailure('unreadable', 'the archive has more parts than a workbook has'));
      else zip.readEntry();
    });
    zip.readEntry();
  });
}
