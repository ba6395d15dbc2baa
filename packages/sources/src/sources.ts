import { inferCsv, inferJson, inferParquet, isEngineFailure, readerSql } from '@svc/query-engine';
import type { CsvOptions, EngineLease, ReadFile, Reader } from '@svc/query-engine';
import type { OptionValue, ReadNeed, Type } from '@svc/query-language';
import { printType } from '@svc/query-language';
import { LRUCache } from 'lru-cache';

import type { FileFormat } from './file-format.ts';
import { lookAtFile } from './file-format.ts';
import { parseLocation } from './locations/location.ts';
import { isPattern } from './locations/path-pattern.ts';
import type { FoundFile } from './transports/find-files.ts';
import { TooManyFiles, findFiles } from './transports/find-files.ts';

/** A READ that can be run: its type, and the relation that reads it. */
export interface ResolvedRead {
  readonly type: Type;
  readonly reader: Reader;
  /** Changes when what the location names has changed. */
  readonly identity: string;
  /** Size of what is read, Infinity where it is compressed. */
  readonly bytes: number;
}

/** Why a READ cannot be run, in words for the author of the query. */
export interface UnreadableSource {
  readonly problem: string;
}

export interface SourcesOptions {
  /** Folders that `file:` may read. */
  readonly fileRoots: readonly string[];
  /** How many inferred types are remembered. */
  readonly cacheSize?: number;
}

/** Opens locations: finds out format and type, and how the engine reads them. */
export class Sources {
  readonly #fileRoots: readonly string[];
  /** By need and the identity of all files: a file that has changed is looked at anew. */
  readonly #known: LRUCache<string, ResolvedRead>;

  constructor(options: SourcesOptions) {
    this.#fileRoots = options.fileRoots;
    this.#known = new LRUCache({ max: options.cacheSize ?? 1000 });
  }

  /** What a READ reads. `lease` gives an engine to look at the data with; it is asked for only where nothing is known. */
  async resolve(need: ReadNeed, lease: () => Promise<EngineLease>, signal: AbortSignal): Promise<ResolvedRead | UnreadableSource> {
    try {
      const files = await this.#files(need.location);
      if ('problem' in files) return files;
      const identity = identityOf(files.found);
      const key = `${need.key}\n${identity}`;
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const resolved = await infer(need, files.found, { lease, signal, identity });
      this.#known.set(key, resolved);
      return resolved;
    } catch (thrown) {
      return asProblem(thrown, need.location);
    }
  }

  /** The identity of what a location names now; null where it cannot be read. */
  async identify(location: string): Promise<string | null> {
    const files = await this.#files(location).catch(() => null);
    return files === null || 'problem' in files ? null : identityOf(files.found);
  }

  async #files(text: string): Promise<{ readonly found: readonly FoundFile[] } | UnreadableSource> {
    const location = parseLocation(text);
    switch (location.kind) {
      case 'unknown':
        return { problem: `'${text}' is not a location: expected one such as file:folder/name.csv` };
      case 'not-built':
        return { problem: `not supported yet: locations of ${location.scheme}:` };
      case 'file': {
        const found = await findFiles(location.path, this.#fileRoots);
        return found.length === 0 ? { problem: `path not found: ${text}` } : { found };
      }
      default:
        return location satisfies never;
    }
  }
}

function identityOf(files: readonly FoundFile[]): string {
  return files.map((file) => file.identity).join('\n');
}

const FORMATS: Readonly<Record<string, FileFormat>> = { READ_CSV: 'csv', READ_JSON: 'json', READ_PARQUET: 'parquet' };

interface Looking {
  readonly lease: () => Promise<EngineLease>;
  readonly signal: AbortSignal;
  readonly identity: string;
}

async function infer(need: ReadNeed, found: readonly FoundFile[], { lease, signal, identity }: Looking): Promise<ResolvedRead> {
  const [first] = found;
  if (first === undefined) throw new Error('there is a file');
  const look = await lookAtFile(first);
  const format = FORMATS[need.function] ?? look.format;
  const files = found.map((file): ReadFile => ({ path: file.path, location: file.location }));
  const compression = look.compression === null ? {} : { compression: look.compression };
  const sampleSize = typeof need.options['sample_size'] === 'number' ? { sampleSize: need.options['sample_size'] } : {};
  const inferred = await inferFormat();
  const reader = readerSql(inferred.plan, null);
  if (need.asType !== null && printType(inferred.type) !== printType(need.asType)) throw new TypeCannotBeRead(need.asType, inferred.type);
  const bytes = look.compression === null ? found.reduce((sum, file) => sum + file.size, 0) : Infinity;
  return { type: inferred.type, reader, identity, bytes };

  async function inferFormat() {
    switch (format) {
      case 'csv':
        return inferCsv(await lease(), files, {
          ...csvOptions(need.options),
          ...rowTypeOf(need.asType),
          ...compression,
          ...sampleSize,
          signal,
        });
      case 'json':
        return inferJson(files, {
          ...(need.asType === null ? {} : { type: need.asType }),
          isPattern: isPattern(need.location),
          ...compression,
          ...sampleSize,
          signal,
        });
      case 'parquet':
        return inferParquet(await lease(), files, { signal });
      default:
        return format satisfies never;
    }
  }
}

/** The type after AS cannot be what the source holds. */
class TypeCannotBeRead extends Error {
  constructor(wanted: Type, found: Type) {
    super(`expected ${printType(wanted)} but the source holds ${printType(found)}`);
    this.name = 'TypeCannotBeRead';
  }
}

function rowTypeOf(asType: Type | null): Pick<CsvOptions, 'rowType'> {
  if (asType === null) return {};
  if (asType.kind !== 'CollectionType')
    throw new TypeCannotBeRead(asType, {
      kind: 'CollectionType',
      element: { kind: 'RecordType', fields: [], isNullable: false },
      isNullable: false,
    });
  return { rowType: asType.element };
}

function csvOptions(options: Readonly<Record<string, OptionValue>>): Omit<CsvOptions, 'signal'> {
  const text = (name: string): string | undefined => (typeof options[name] === 'string' ? options[name] : undefined);
  const [delimiter, quote, escape] = [text('delimiter'), text('quote'), text('escape')];
  const { has_header: hasHeader, skip, nulls } = options;
  return {
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(quote === undefined ? {} : { quote }),
    ...(escape === undefined ? {} : { escape }),
    ...(typeof hasHeader === 'boolean' ? { hasHeader } : {}),
    ...(typeof skip === 'number' ? { skip } : {}),
    ...(Array.isArray(nulls) ? { nulls: nulls.filter((value) => typeof value === 'string') } : {}),
  };
}

/** Bad data and what cannot be opened is the caller's to know; what only we can cause goes on. */
function asProblem(thrown: unknown, location: string): UnreadableSource {
  if (thrown instanceof TypeCannotBeRead || thrown instanceof TooManyFiles) return { problem: `${location}: ${thrown.message}` };
  if (isEngineFailure(thrown) && !['internal', 'interrupted'].includes(thrown.failureClass))
    return { problem: `${location}: ${thrown.message}` };
  throw thrown;
}
