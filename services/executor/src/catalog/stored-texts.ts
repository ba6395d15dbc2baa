import { TextCatalog } from '@svc/catalog';
import type { Principal } from '@svc/auth';
import type { Database } from '@svc/database';
import { CatalogStore, PackageStore, ViewStore } from '@svc/database';
import { writeFunctions } from '@svc/endpoints';
import type { QueryRuntime } from '@svc/query-runtime';

/** The views and packages of all namespaces, and the store of everything that has a name. */
export interface StoredTexts {
  readonly views: TextCatalog<Principal>;
  readonly packages: TextCatalog<Principal>;
  readonly names: CatalogStore;
}

/** Views and packages over a database, checked by a runtime. */
export function openStoredTexts({ database, runtime }: { readonly database: Database; readonly runtime: QueryRuntime }): StoredTexts {
  const names = new CatalogStore(database);
  return {
    names,
    views: new TextCatalog({
      kind: 'view',
      store: new ViewStore(database),
      catalog: names,
      check: ({ caller, name, text, signal }) => runtime.checkView(caller, { name, text }, signal),
    }),
    packages: new TextCatalog({
      kind: 'package',
      store: new PackageStore(database),
      catalog: names,
      check: async ({ caller, name, text, signal }) => {
        const { type, uses, functions } = await runtime.checkPackage(caller, { name, text }, signal);
        return { type, uses, functions: writeFunctions(functions) };
      },
    }),
  };
}
