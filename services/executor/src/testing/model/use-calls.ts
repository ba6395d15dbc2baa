import type { Call, Expected } from './call.ts';
import { packageName, storedName } from './names.ts';
import type { NamespaceModel, Stored } from './namespace-model.ts';
import { isFault, typeOf } from './namespace-model.ts';
import type { Random } from '@svc/test-kit';
import { tableDetail } from './table-calls.ts';
import { detail, findExact } from './text-calls.ts';

/** A query over a view or a table, run or only checked. */
export function query(model: NamespaceModel, random: Random): Call {
  const name = storedName(random);
  const before = 'SELECT x.e AS e FROM ';
  const rows = model.rowsOf(name, before.length + 1, []);
  const isRun = random.below(3) > 0;
  const expected: Expected = isFault(rows)
    ? { kind: 'fault', fault: rows }
    : isRun
      ? { kind: 'lines', lines: rows.values.map((e) => JSON.stringify({ e })) }
      : { kind: 'json', body: { type: typeOf(rows) } };
  return { method: 'POST', path: isRun ? '/query' : '/query-validate', body: `${before}${name} AS x`, type: 'text/plain', expected };
}

/** A call of a package's function. */
export function callFunction(model: NamespaceModel, random: Random): Call {
  const name = packageName(random);
  const called = random.below(6) === 0 ? 'hidden' : 'shift';
  const x = random.below(10);
  const path = `/packages/${name}/functions/${called}`;
  return { method: 'POST', path, body: JSON.stringify({ x }), type: 'application/json', expected: expectResult() };

  function expectResult(): Expected {
    const found = findExact(model, 'package', name);
    if (found === undefined || found.kind === 'table') return noPackage(name);
    const value = model.packageValue(found.text, [`package ${name}`]);
    if (isFault(value)) return { kind: 'fault', fault: value };
    if (called === 'hidden') return { kind: 'error', status: 404, code: 'not_found', message: `There is nothing at the path ${path}.` };
    return { kind: 'lines', lines: [String(typeof value === 'number' ? x + value : x)] };
  }
}

/** The document of a package; of it only whether it has the endpoint is known here. */
export function describePackage(model: NamespaceModel, random: Random): Call {
  const name = packageName(random);
  const found = findExact(model, 'package', name);
  const value = found === undefined || found.kind === 'table' ? null : model.packageValue(found.text, [`package ${name}`]);
  const path = `/openapi/v3/package/${name}`;
  if (value === null) return { method: 'GET', path, expected: noPackage(name) };
  return {
    method: 'GET',
    path,
    expected: isFault(value) ? { kind: 'fault', fault: value } : { kind: 'document', hasPath: typeof value !== 'number' },
  };
}

function noPackage(name: string): Expected {
  return { kind: 'error', status: 400, code: 'package_not_found', message: `Package "${name}" does not exist.` };
}

const PATTERNS = ['', '%', 'a%', '%a', '_elta', 'B%', 'b%', 'Bravo', '%\\_%', 'ech_\\_x', '%o%', 'Tools', '%s'] as const;

/** A list, of all objects or of those that match a pattern. */
export function list(model: NamespaceModel, random: Random): Call {
  const kind = random.pick(['view', 'table', 'package']);
  const pattern = random.below(2) === 0 ? null : random.pick(PATTERNS);
  const all = [...(kind === 'package' ? model.packages : model.names).values()].filter((one) => one.kind === kind);
  const matching = all.filter(({ name }) => pattern === null || likePattern(pattern).test(name)).toSorted(byName);
  return {
    method: 'GET',
    path: `/${kind}s${pattern === null ? '' : `?pattern=${encodeURIComponent(pattern)}`}`,
    expected: { kind: 'json', body: matching.map(listed) },
  };
}

function listed(stored: Stored) {
  if (stored.kind === 'table') return tableDetail(stored.name, stored.rows);
  const { updatedAt, ...rest } = detail(stored);
  return stored.kind === 'view' ? { ...rest, updatedAt } : rest;
}

function likePattern(pattern: string): RegExp {
  const source = pattern.replaceAll(/\\(.)|%|_|[^\w]/g, (text, escaped: string | undefined) =>
    escaped !== undefined ? `[${escaped}]` : text === '%' ? '.*' : text === '_' ? '.' : `\\${text}`,
  );
  return new RegExp(`^${source}$`);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** The complete catalogue of the namespace. */
export function catalogue(model: NamespaceModel): Call {
  const views = [...model.names.values()].filter(({ kind }) => kind === 'view').toSorted(byName);
  const tables = [...model.names.values()].flatMap((one) => (one.kind === 'table' ? [{ name: one.name, type: typeOf(one.rows) }] : []));
  const packages = [...model.packages.values()].toSorted(byName);
  return {
    method: 'GET',
    path: '/catalog',
    expected: { kind: 'json', body: { views: views.map(entry), tables: tables.toSorted(byName), packages: packages.map(entry) } },
  };
}

function entry(stored: Stored) {
  if (stored.kind === 'table') throw new Error('a table has no text');
  return { name: stored.name, type: stored.type, uses: stored.uses };
}
