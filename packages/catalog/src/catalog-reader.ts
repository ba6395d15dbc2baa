import type { CatalogEntry, CatalogStore } from '@svc/database';
import {
  assertNever,
  parseType,
  type NameAnswer,
  type NameNeed,
  type PackageAnswer,
  type PackageNeed,
  type Type,
} from '@svc/query-language';

import { nameProblem } from './object-name.ts';

/** A user table, as a query that names it finds it. */
export type CatalogTable = Extract<CatalogEntry, { kind: 'table' }>;

/** Answers to needs, as they were together at one version of the namespace. */
export interface CatalogAnswers {
  readonly version: number;
  /** By the key of the need. */
  readonly names: ReadonlyMap<string, NameAnswer>;
  readonly packages: ReadonlyMap<string, PackageAnswer>;
  /** The tables among the answers, by name. */
  readonly tables: ReadonlyMap<string, CatalogTable>;
}

/** Resolves the checker's needs in a namespace. */
export interface CatalogReader {
  /** Returns the version that every change of the namespace raises: compiled queries are valid while it is unchanged. */
  readonly version: (namespace: string) => Promise<number>;
  /** Answers all needs in one round trip, and in one snapshot. */
  readonly answer: (namespace: string, needs: readonly (NameNeed | PackageNeed)[]) => Promise<CatalogAnswers>;
}

/** The reader over the stores. */
export function createCatalogReader({ catalog }: { readonly catalog: CatalogStore }): CatalogReader {
  return {
    version: (namespace) => catalog.version(namespace),
    answer: async (namespace, needs) => {
      const wanted = needs.map(({ name }) => name).filter((name) => nameProblem(name) === null);
      const { version, entries } = await catalog.findNames(namespace, wanted);
      const found = needs.map((need) => ({ need, entry: entries.find((entry) => isWanted(entry, need)) }));
      // Names for suggestions are read only if one was not found.
      const others = found.some(({ entry }) => entry === undefined) ? await catalog.listNames(namespace) : [];
      const candidates = (isPackage: boolean): readonly string[] =>
        others.filter(({ kind }) => (kind === 'package') === isPackage).map(({ name }) => name);
      const names = new Map<string, NameAnswer>();
      const packages = new Map<string, PackageAnswer>();
      const tables = new Map<string, CatalogTable>();
      for (const { need, entry } of found) {
        if (need.kind === 'package')
          packages.set(
            need.key,
            entry?.kind === 'package'
              ? { kind: 'package', name: entry.name, text: entry.text }
              : { kind: 'nothing', candidates: candidates(true) },
          );
        else names.set(need.key, entry === undefined ? { kind: 'nothing', candidates: candidates(false) } : nameAnswer(entry));
        if (entry?.kind === 'table') tables.set(entry.name, entry);
      }
      return { version, names, packages, tables };
    },
  };
}

function isWanted(entry: CatalogEntry, need: NameNeed | PackageNeed): boolean {
  if ((entry.kind === 'package') !== (need.kind === 'package')) return false;
  return need.isQuoted ? entry.name === need.name : entry.name.toLowerCase() === need.name.toLowerCase();
}

function nameAnswer(entry: CatalogEntry): NameAnswer {
  switch (entry.kind) {
    case 'view':
      return { kind: 'view', name: entry.name, text: entry.text, type: storedType(entry.type) };
    case 'table':
      return { kind: 'table', name: entry.name, type: storedType(entry.type) };
    case 'package':
      throw new Error('a package is no answer to a name');
    default:
      return assertNever(entry);
  }
}

/** Types are stored as they print, so they parse. */
function storedType(text: string): Type {
  const parsed = parseType(text);
  if ('type' in parsed) return parsed.type;
  throw new Error(`the catalogue holds a type that cannot be read: ${text}`);
}
