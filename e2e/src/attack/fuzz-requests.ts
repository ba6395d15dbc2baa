import type { Random } from '@svc/test-kit';

import { SERVICES, type AttackTarget, type ServiceName } from './attack-target.ts';
import { mutateText, oddText, readPrograms } from './fuzz-texts.ts';
import type { AttackRequest } from './send-attack.ts';

/** An operation of a service as its own description has it. */
interface Operation {
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  readonly bodyType: string | null;
  readonly members: readonly string[];
  readonly query: readonly string[];
}

/** Reads the operations of all services. */
export async function readOperations({ urls }: AttackTarget): Promise<readonly [Operation, ...Operation[]]> {
  const all = await Promise.all(
    SERVICES.map(async (service) => {
      const response = await fetch(`${urls[service]}/openapi.json`);
      return describe(service, (await response.json()) as ServiceDocument);
    }),
  );
  const [first, ...others] = all.flat();
  if (first === undefined) throw new Error('the services describe no operation');
  return [first, ...others];
}

/** The parts of an OpenAPI document that are used here. */
interface ServiceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: { readonly properties?: object } }>> };
}

function describe(service: ServiceName, { paths }: ServiceDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => {
      const [type] = Object.entries(requestBody?.content ?? {});
      return {
        service,
        method: method.toUpperCase(),
        path,
        bodyType: type?.[0] ?? null,
        members: Object.keys(type?.[1].schema?.properties ?? {}),
        query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      };
    }),
  );
}

/** Generates programs: as queries, validations, views and packages. */
export function programFuzzer(): (random: Random) => AttackRequest {
  const programs = readPrograms();
  return (random) => {
    const text = random.below(5) === 0 ? random.pick(programs) : mutateText(random.pick(programs), random);
    const [method, path] = random.pick([
      ['POST', '/query'],
      ['POST', '/query'],
      ['POST', '/query-validate'],
      ['PUT', '/views/v?replace=true'],
      ['PUT', '/packages/p?replace=true'],
    ]);
    const format = random.pick(['hjson', 'json', 'csv', 'sqlite', 'parquet-avro', 'parquet-raw']);
    const headers = { 'Content-Type': 'text/plain', ...(random.below(3) === 0 && { 'X-SVC-Output-Format': format }) };
    return { kind: 'program', service: 'executor', method, path, headers, body: text };
  };
}

const ODD_HEADERS = ['Accept', 'Accept-Encoding', 'Content-Type', 'Content-Encoding', 'Expect', 'If-None-Match', 'Idempotency-Key'];
const MORE_HEADERS = [
  'Origin',
  'Range',
  'X-Request-Id',
  'X-SVC-max-bytes',
  'X-SVC-output-format',
  'X-SVC-API-KEY',
  'X-Forwarded-For',
  'traceparent',
];

/** Generates calls of all operations with valid, nearly valid and invalid parameters, headers and bodies. */
export function requestFuzzer(operations: readonly [Operation, ...Operation[]]): (random: Random) => AttackRequest {
  // Each service with the same frequency, however many operations it has.
  const services = Map.groupBy(operations, ({ service }) => service);
  return (random) => {
    const operation = random.pick((services.get(random.pick(SERVICES)) as readonly [Operation, ...Operation[]] | undefined) ?? operations);
    const path = operation.path.replaceAll(/\{\w+\}/g, () =>
      encodeURIComponent(random.below(2) === 0 ? 't' : oddText(random).toWellFormed()),
    );
    const query = operation.query
      .filter(() => random.below(2) === 0)
      .map((name) => `${name}=${encodeURIComponent(oddText(random).toWellFormed())}`);
    const names = [...ODD_HEADERS, ...MORE_HEADERS].filter(() => random.below(12) === 0);
    // Node does not send headers with invalid characters.
    const headers = Object.fromEntries(
      names.map((name) => [
        name,
        oddText(random)
          .slice(0, 4000)
          .replaceAll(/[^\x20-\x7e]/g, '?'),
      ]),
    );
    return {
      kind: `request ${operation.service}`,
      service: operation.service,
      method: random.below(10) === 0 ? random.pick(['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) : operation.method,
      path: query.length === 0 ? path : `${path}?${query.join('&')}`,
      headers: { ...(operation.bodyType !== null && { 'Content-Type': operation.bodyType }), ...headers },
      body: bodyOf(operation, random),
    };
  };
}

function bodyOf({ bodyType, members }: Operation, random: Random): string {
  if (bodyType === null) return random.below(10) === 0 ? oddText(random) : '';
  if (!bodyType.includes('json')) return oddText(random);
  const entries = members
    .filter(() => random.below(5) > 0)
    .map((name) => [name, random.below(4) === 0 ? oddValue(random) : likely(name, random)]);
  const text = JSON.stringify(Object.fromEntries(entries));
  return random.below(6) === 0 ? mutateText(text, random) : text;
}

function oddValue(random: Random): unknown {
  const text = oddText(random);
  return random.pick<unknown>([text, text, random.below(1000) - 500, null, [text], {}, true]);
}

/** Returns a plausible value for a member of this name. */
function likely(name: string, random: Random): unknown {
  const values: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    ['type', 'collection(record(a: int, b: string))'],
    ['indexes', ['a']],
    ['location', null],
    ['vendor', 'postgresql'],
    ['host', '127.0.0.1'],
    ['port', 1 + random.below(65_535)],
    ['tokenType', 'bearer'],
    ['region', 'eu-west-1'],
    ['credentials', { type: 'basic-auth', user: 'a', password: 'b' }],
    ['prefixUrl', 'http://127.0.0.1:1/'],
    ['expiresAt', '2099-01-01T00:00:00Z'],
    ['scopes', []],
    ['active', true],
  ]);
  return values.has(name) ? values.get(name) : `n${random.below(50)}`;
}
