import type { Call, Expected } from './call.ts';
import type { NamespaceModel, Stored } from './namespace-model.ts';
import { isFault, typeOf } from './namespace-model.ts';
import { packageName, storedName } from './names.ts';
import type { Random } from '@svc/test-kit';
import { writeText, type Text } from './texts.ts';

const NOUNS = { view: 'View', package: 'Package' } as const;

/** Returns the stored objects of a kind. */
function placeOf(model: NamespaceModel, kind: 'view' | 'table' | 'package'): Map<string, Stored> {
  return kind === 'package' ? model.packages : model.names;
}

/** Returns the object stored under exactly this spelling. */
export function findExact(model: NamespaceModel, kind: 'view' | 'table' | 'package', name: string): Stored | undefined {
  const found = placeOf(model, kind).get(name.toLowerCase());
  return found?.kind === kind && found.name === name ? found : undefined;
}

/** PUT of a view or a package. */
export function putText(model: NamespaceModel, random: Random, kind: 'view' | 'package'): Call {
  const text = kind === 'view' ? randomView(random) : randomPackage(random);
  const name = kind === 'view' ? storedName(random) : packageName(random);
  const replace = random.below(3) === 0;
  const path = `/${kind}s/${name}${replace ? '?replace=true' : ''}`;
  return { method: 'PUT', path, body: writeText(text).text, type: 'text/plain', expected: storeText(model, { kind, name, text, replace }) };
}

interface TextPut {
  readonly kind: 'view' | 'package';
  readonly name: string;
  readonly text: Text;
  readonly replace: boolean;
}

function storeText(model: NamespaceModel, { kind, name, text, replace }: TextPut): Expected {
  if (!/^[A-Za-z_]\w*$/.test(name) || name === 'select') return { kind: 'error', status: 400, code: `${kind}_name_invalid` };
  if (text.form === 'broken') return { kind: 'syntax-error' };
  const trail = [`${kind} ${name}`];
  const value = kind === 'view' ? model.valueOf(text, trail) : model.packageValue(text, trail);
  if (isFault(value)) return { kind: 'fault', fault: value };
  const place = placeOf(model, kind);
  const holder = place.get(name.toLowerCase());
  const isSame = holder?.kind === kind && holder.name === name;
  if (holder !== undefined && !(replace && isSame))
    return { kind: 'error', status: 400, code: `${kind}_already_exists`, message: takenMessage(NOUNS[kind], name, holder, isSame) };
  const rows = typeof value === 'number' ? 'record(num: int)' : kind === 'view' ? typeOf(value) : `record(rows: ${typeOf(value)})`;
  place.set(name.toLowerCase(), { kind, name, text, type: rows, uses: usesOf(model, text), isReplaced: isSame });
  return { kind: 'json', body: { type: rows } };
}

/** Returns the message about a name that is taken. */
export function takenMessage(noun: string, name: string, holder: Stored, isSame: boolean): string {
  if (isSame) return `${noun} "${name}" already exists.`;
  const isSameKind = holder.kind === noun.toLowerCase();
  return `${noun} "${name}" cannot be created: ${isSameKind ? `"${holder.name}" differs from it only in case` : `a ${holder.kind} has this name`}.`;
}

function usesOf(model: NamespaceModel, text: Text) {
  const used =
    'source' in text
      ? model.names.get(text.source.toLowerCase())
      : 'from' in text
        ? model.packages.get(text.from.toLowerCase())
        : undefined;
  return used === undefined ? [] : [{ kind: used.kind, name: used.name }];
}

/** GET of one view or package. */
export function getText(model: NamespaceModel, random: Random, kind: 'view' | 'package'): Call {
  const name = kind === 'view' ? storedName(random) : packageName(random);
  const found = findExact(model, kind, name);
  return {
    method: 'GET',
    path: `/${kind}s/${name}`,
    expected: found === undefined ? notFound(kind, name) : { kind: 'json', body: detail(found) },
  };
}

/** DELETE of a view or a package. */
export function deleteText(model: NamespaceModel, random: Random, kind: 'view' | 'package'): Call {
  const name = kind === 'view' ? storedName(random) : packageName(random);
  const found = findExact(model, kind, name);
  if (found !== undefined) placeOf(model, kind).delete(name.toLowerCase());
  const expected: Expected = found === undefined ? notFound(kind, name) : { kind: 'empty', status: 204 };
  return { method: 'DELETE', path: `/${kind}s/${name}`, expected };
}

/** Returns the detail response of a view or a package. */
export function detail(stored: Stored) {
  if (stored.kind === 'table') throw new Error('a table has no text');
  const { name, text, isReplaced } = stored;
  return { name, query: writeText(text).text, createdAt: 'TIME', updatedAt: isReplaced ? 'TIME' : null };
}

function notFound(kind: 'view' | 'package', name: string): Expected {
  return { kind: 'error', status: 400, code: `${kind}_not_found`, message: `${NOUNS[kind]} "${name}" does not exist.` };
}

function randomView(random: Random): Text {
  switch (random.below(8)) {
    case 0:
    case 1:
      return { form: 'literal', values: random.below(3) === 0 ? ['a', 'b'] : [random.below(10), random.below(10)] };
    case 2:
    case 3:
      return { form: 'imported-rows', from: packageName(random) };
    case 4:
      return random.below(5) === 0 ? { form: 'broken' } : { form: 'literal', values: [random.below(10)] };
    default:
      return { form: 'plus', source: storedName(random), by: random.below(10) };
  }
}

function randomPackage(random: Random): Text {
  switch (random.below(6)) {
    case 0:
    case 1:
      return { form: 'number', value: random.below(10) };
    case 2:
    case 3:
      return { form: 'rows', source: storedName(random) };
    case 4:
      return random.below(6) === 0 ? { form: 'broken' } : { form: 'number', value: random.below(10) };
    default:
      return { form: 'successor', from: packageName(random) };
  }
}
