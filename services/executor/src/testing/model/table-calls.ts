import type { Call, Expected } from './call.ts';
import { storedName } from './names.ts';
import type { NamespaceModel, Rows } from './namespace-model.ts';
import { typeOf } from './namespace-model.ts';
import type { Random } from '@svc/test-kit';
import { findExact, takenMessage } from './text-calls.ts';

/** PUT of a table. */
export function putTable(model: NamespaceModel, random: Random): Call {
  const name = random.below(30) === 0 ? '1x' : storedName(random);
  const kind = random.below(3) === 0 ? 'string' : 'int';
  const type = random.below(20) === 0 ? 'int' : `Collection(RECORD(e: ${kind}))`;
  const indexes = random.below(15) === 0 ? ['nothing'] : random.below(3) === 0 ? ['e'] : [];
  const body = JSON.stringify({ type, ...(indexes.length > 0 && { indexes }) });
  return { method: 'PUT', path: `/tables/${name}`, body, type: 'application/json', expected: expectTable() };

  function expectTable(): Expected {
    if (name === '1x') return { kind: 'error', status: 400, code: 'table_name_invalid' };
    if (type === 'int') return { kind: 'error', status: 400, code: 'table_type_invalid' };
    if (indexes[0] === 'nothing') return { kind: 'error', status: 400, code: 'index_invalid' };
    const holder = model.names.get(name.toLowerCase());
    if (holder === undefined) {
      model.names.set(name.toLowerCase(), { kind: 'table', name, rows: { kind, values: [] } });
      return { kind: 'empty', status: 200 };
    }
    const message = takenMessage('Table', name, holder, holder.kind === 'table' && holder.name === name);
    return { kind: 'error', status: 400, code: 'table_already_exists', message };
  }
}

/** GET of one table. */
export function getTable(model: NamespaceModel, random: Random): Call {
  const name = storedName(random);
  const found = findExact(model, 'table', name);
  const expected: Expected =
    found?.kind === 'table' ? { kind: 'json', body: tableDetail(name, found.rows) } : absent(name, 'Table_not_found');
  return { method: 'GET', path: `/tables/${name}`, expected };
}

/** Returns the detail response of a table. */
export function tableDetail(name: string, rows: Rows) {
  return { name, type: typeOf(rows), location: null, createdAt: 'TIMES', updatedAt: null };
}

/** DELETE of a table, by either path. */
export function deleteTable(model: NamespaceModel, random: Random): Call {
  const name = storedName(random);
  const found = findExact(model, 'table', name);
  if (found !== undefined) model.names.delete(name.toLowerCase());
  const expected: Expected = found === undefined ? absent(name, 'table_not_found') : { kind: 'empty', status: 204 };
  return { method: 'DELETE', path: `/table${random.below(2) === 0 ? '' : 's'}/${name}`, expected };
}

/** Appends rows to a table atomically. */
export function postRows(model: NamespaceModel, random: Random): Call {
  const name = storedName(random);
  const found = findExact(model, 'table', name);
  const isText = random.below(3) === 0;
  const values = Array.from({ length: 1 + random.below(3) }, () => (isText ? 't' : random.below(100)));
  const body = values.map((e) => `${JSON.stringify({ e })}\n`).join('');
  return { method: 'POST', path: `/tables/${name}/rows`, body, type: 'application/x-ndjson', expected: store() };

  function store(): Expected {
    if (found?.kind !== 'table') return absent(name, 'table_not_found');
    const { rows } = found;
    // Every value can be read as text; a text that is not numeric cannot be read as a number.
    if (isText && rows.kind !== 'string') return { kind: 'error', status: 400, code: 'bad_request' };
    const read = rows.kind === 'string' ? values.map(String) : values;
    model.names.set(name.toLowerCase(), { kind: 'table', name, rows: { kind: rows.kind, values: [...rows.values, ...read] } });
    return { kind: 'json', body: { rows: values.length } };
  }
}

/** Upkeep, which has no visible effect. */
export function keepUpTable(model: NamespaceModel, random: Random): Call {
  const name = storedName(random);
  const found = findExact(model, 'table', name);
  return {
    method: random.below(2) === 0 ? 'GET' : 'POST',
    path: `/tables_${random.pick(['optimize', 'vacuum'])}/${name}`,
    expected: found === undefined ? absent(name, 'table_not_found') : { kind: 'empty', status: 200 },
  };
}

function absent(name: string, code: string): Expected {
  return { kind: 'error', status: 400, code, message: `Table "${name}" does not exist.` };
}
