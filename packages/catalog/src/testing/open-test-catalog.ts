import { CatalogStore, PackageStore, TableStore, ViewStore, migrate, openDatabase } from '@svc/database';
import { invalidQuery } from '@svc/errors';
import type { CheckEnvironment, Diagnostic, NameAnswer, Need, PackageAnswer, Program, Type, Use } from '@svc/query-language';
import { checkPackage, checkProgram, createSourceText, parseProgram, parseType } from '@svc/query-language';
import { createTestDatabase } from '@svc/test-kit';

import { createCatalogReader, type CatalogReader } from '../catalog-reader.ts';
import { TextCatalog, type CheckedText, type Owner, type TextPut } from '../text-catalog.ts';

/** A catalogue over a database of its own. It checks with the language; the type of a READ is spelled by its location. */
export interface TestCatalog {
  readonly views: TextCatalog<Owner>;
  readonly packages: TextCatalog<Owner>;
  readonly tables: TableStore;
  readonly store: CatalogStore;
  readonly reader: CatalogReader;
  /** The type of a query in a namespace, or its first fault. */
  readonly check: (namespace: string, text: string) => Promise<Type | string>;
  readonly close: () => Promise<void>;
}

interface Found {
  readonly diagnostics: readonly Diagnostic[];
  readonly needs: readonly Need[];
  readonly type: Type | null;
  readonly uses: readonly Use[];
}

/** Opens one. */
export async function openTestCatalog(): Promise<TestCatalog> {
  const { url, drop } = await createTestDatabase({ migrate });
  const database = openDatabase({ url, applicationName: 'test', maxConnections: 8, connectTimeoutMs: 60_000 });
  const store = new CatalogStore(database);
  const reader = createCatalogReader({ catalog: store });
  const checkView = checkOf(reader, (tree, environment, view) => checkProgram(tree, environment, { arguments: null, view }));
  const checkCode = checkOf(reader, (tree, environment, name) => checkPackage(tree, environment, { name }));
  return {
    views: new TextCatalog({ kind: 'view', store: new ViewStore(database), catalog: store, check: checkView }),
    packages: new TextCatalog({ kind: 'package', store: new PackageStore(database), catalog: store, check: checkCode }),
    tables: new TableStore(database),
    store,
    reader,
    check: async (namespace, text) => {
      const { tree } = parseProgram(text);
      if (tree === null) return 'syntax';
      const { type, diagnostics } = await complete(reader, namespace, (environment) =>
        checkProgram(tree, environment, { arguments: null }),
      );
      return type ?? diagnostics[0]?.message ?? 'nothing';
    },
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

/** Creates the catalogue's check: a program in the namespace of its owner. */
function checkOf(
  reader: CatalogReader,
  check: (tree: Program, environment: CheckEnvironment, name: string) => Found,
): (put: TextPut<Owner>) => Promise<CheckedText> {
  return async ({ caller, name, text }) => {
    const parsed = parseProgram(text);
    const { type, uses, diagnostics } =
      parsed.tree === null
        ? { ...parsed, type: null, uses: [] }
        : await complete(reader, caller.namespace, (environment) => check(parsed.tree, environment, name));
    const source = createSourceText(text);
    if (type === null)
      throw invalidQuery(diagnostics.map(({ message, spans }) => ({ message, positions: spans.map((span) => source.positionOf(span)) })));
    return { type, uses };
  };
}

/** Resolves the needs of a check and repeats it until there are none. */
async function complete(reader: CatalogReader, namespace: string, check: (environment: CheckEnvironment) => Found): Promise<Found> {
  const names = new Map<string, NameAnswer>();
  const packages = new Map<string, PackageAnswer>();
  const environment: CheckEnvironment = {
    findRead: ({ location }) => readType(location),
    findName: (need) => names.get(need.key),
    findPackage: (need) => packages.get(need.key),
    inferText: () => ({ problem: 'no text is looked at here' }),
  };
  for (;;) {
    const found = check(environment);
    if (found.needs.length === 0) return found;
    const needs = found.needs.filter((need) => need.kind !== 'read');
    const answers = await reader.answer(namespace, needs);
    for (const [key, answer] of answers.names) names.set(key, answer);
    for (const [key, answer] of answers.packages) packages.set(key, answer);
  }
}

function readType(location: string): { readonly type: Type } | { readonly problem: string } {
  const parsed = parseType(location);
  return 'type' in parsed ? parsed : { problem: `path not found: ${location}` };
}
