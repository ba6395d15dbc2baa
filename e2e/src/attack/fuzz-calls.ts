import type { Random } from '@svc/test-kit';

import type { AttackTarget } from './attack-target.ts';
import { mutateText, oddText } from './fuzz-texts.ts';
import type { AttackRequest } from './send-attack.ts';

const PACKAGE = `
@get("/items/{id}") item(id: long, name: string := "x", at: date := NULL) := (id: id, name: name, at: at);
@get("/public/rows/{n}") rows(n: int) := SELECT x AS i, "row " || CAST(x AS string) AS t FROM RANGE(1, n) x;
@post("/orders") place(o: record(sku: string, price: double, tags: collection(string))) := o.sku || CAST(o.price AS string);
`;
const DEFINITION = 'application: attacked\npackages: [attacked]\n';
const PATHS = [
  '/items/1',
  '/items/1?name=a&at=2024-01-02',
  '/public/rows/5',
  '/rows/5',
  '/orders',
  '/orders',
  '/items/',
  '/nothing',
  '',
] as const;
const ORDER = '{"sku": "a", "price": 1.5, "tags": ["x", "y"]}';

/** Generates calls of an application's endpoints, with nearly valid keys, paths, parameters and bodies. Stores the application first. */
export async function callFuzzer(target: AttackTarget): Promise<(random: Random) => AttackRequest> {
  const key = await putApplication(target);
  return (random) => {
    const isBody = random.below(2) === 0;
    const path = random.below(3) === 0 ? mutateText(random.pick(PATHS), random) : random.pick(PATHS);
    const query = random.below(4) === 0 ? `?${oddName(random)}=${encodeURIComponent(oddText(random).toWellFormed())}` : '';
    const keys = random.pick([key, key, key, mutateText(key, random), oddText(random)]);
    const prefix =
      random.below(12) === 0
        ? random.pick(['/attacked/2/public', '/Attacked/1/public', '/svc/1/public', '//attacked/1'])
        : '/attacked/1/public';
    const version = random.pick(['', '?version=3.1', '?version=x']);
    const isDocument = random.below(20) === 0;
    return {
      kind: 'call',
      service: 'gateway',
      method: isBody && !isDocument ? random.pick(['POST', 'PUT', 'DELETE']) : random.pick(['GET', 'GET', 'HEAD', 'OPTIONS']),
      path: isDocument ? `/svc/1/api/admin/endpoints/open-api${version}` : sendable(prefix + path + (path.includes('?') ? '' : query)),
      headers: {
        'X-SVC-API-KEY': keys.slice(0, 4000).replaceAll(/[^\x20-\x7e]/g, '?'),
        ...(isBody && { 'Content-Type': random.pick(['application/json', 'application/json', 'text/plain', oddHeader(random)]) }),
        ...(random.below(3) === 0 && { Accept: random.pick(['text/csv', 'application/x-ndjson', '*/*', oddHeader(random)]) }),
      },
      body: isBody ? (random.below(3) === 0 ? ORDER : mutateText(ORDER, random)) : '',
    };
  };
}

/** Returns a key of the application. */
async function putApplication({ urls, token }: AttackTarget): Promise<string> {
  const authorization = `Bearer ${await token('owner')}`;
  const put = async (url: string, method: string, [type, body]: readonly [string, string]): Promise<unknown> => {
    const response = await fetch(url, { method, headers: { Authorization: authorization, 'Content-Type': type }, body });
    if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  await put(`${urls.executor}/packages/attacked?replace=true`, 'PUT', ['text/plain', PACKAGE]);
  await put(`${urls.gateway}/svc/1/api/admin/applications/attacked`, 'PUT', ['application/yaml', DEFINITION]);
  const created = await put(`${urls.gateway}/svc/1/api/admin/keys`, 'POST', ['application/json', '{"name": "attacker"}']);
  return (created as { readonly key: string }).key;
}

function oddName(random: Random): string {
  return random.pick([
    'name',
    'at',
    'id',
    'n',
    'X-SVC-API-KEY',
    '__proto__',
    encodeURIComponent(oddText(random).slice(0, 200).toWellFormed()),
  ]);
}

function oddHeader(random: Random): string {
  return oddText(random)
    .slice(0, 2000)
    .replaceAll(/[^\x20-\x7e]/g, '?');
}

/** Encodes a path to one that Node's client sends. */
function sendable(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]/g, (letter) => encodeURIComponent(letter.toWellFormed()));
}
