import { checkPackage, parseProgram, type PackageFunction } from '@svc/query-language';

import { describePackage } from '../describe-package.ts';
import type { Json, OpenApiVersion } from '../openapi-version.ts';

/** A package with something of everything that an endpoint can have. */
export const SHOP = `
  TYPE item := record(sku: string, price: decimal, tags: collection(string) nullable, size: record(w: double, h: double) nullable);
  @get("/items/{id}", visibility := "public", summary := "One item", description := "By its number.", format := "json")
  item(id: long) := (id: id, name: "x", since: date "2024-01-01", at: timestamp "2024-01-01 10:00:00", t: time "10:00:00",
    took: interval "1 hour", raw: ENCODE("a"), parts: [(a: 1, b: [TRUE])], maybe: IF id > 1 THEN 1.5 ELSE NULL, more: CAST(id AS any));
  @get("/items", scopes := ["items:read", "admin"], visibility := "public")
  items(least: int := 10, since: date := date "2020-02-29", at: timestamp nullable := timestamp "2020-01-02 03:04:05.678",
    wait: interval := interval "1 year 2 days 3 hours 4.5 seconds", names: collection(string) := ["a", "b"], f: float := 1.5f,
    now: timestamp := NOW(), q: string nullable := NULL) := SELECT n AS n, "" + n AS text FROM RANGE(0, least) AS n;
  @post("/items", scopes := ["items:write"])
  add(body: collection(item), note: string := "none", dry: bool := FALSE) := CCOUNT(body);
  @put("/items/{number}")
  put(number: long, body: item) := body.price;
  @delete("/items/{n}/tags/{tag}")
  untag(n: long, tag: string) := NULL;
  @patch("/both") @post("/both", format := "csv")
  both(x: any, short: short, tiny: byte) := [x];
  internal(x: int) := x;
`;

/** The public functions of a package. */
export function functionsOf(text: string): readonly PackageFunction[] {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error('the text has errors of syntax');
  const environment = {
    findRead: () => undefined,
    findName: () => undefined,
    findPackage: () => undefined,
    inferText: () => ({ problem: 'no text is looked at here' }),
  };
  const { type, functions, diagnostics } = checkPackage(tree, environment, { name: 'shop' });
  if (type === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return functions;
}

/** The document of a package. */
export function describeText(text: string, version: OpenApiVersion = '3.0.3'): Json {
  return describePackage({ name: 'shop', version: '2026-11-20T09:15:00.123', functions: functionsOf(text) }, version);
}
