import { mkdir, mkdtemp, readFile, readdir, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { migrate } from '@svc/database';
import type { TestDatabase } from '@svc/test-kit';
import { createTestDatabase, eventually, testAuthorization } from '@svc/test-kit';

import { ATTACKS } from './testing/attacks.ts';
import { ADDRESSES } from './testing/attacks/address-attacks.ts';
import type { Attack } from './testing/attacks/attack.ts';
import type { ExecutorProcess } from './testing/executor-process.ts';
import { startExecutorProcess } from './testing/executor-process.ts';
import { makeHostileFiles, makeParquetFiles } from './testing/hostile-files.ts';
import { sendAndLeave } from './testing/leaving-clients.ts';
import { forgetPeak, memoryOf } from './testing/process-memory.ts';

const PAGE = join(import.meta.dirname, '../../../docs/security.md');
/** Marker before the lists of attacks. */
const LISTS = '<!-- attacks -->';
/** `REWRITE_CASES=1` writes the page. */
const isRewriting = process.env['REWRITE_CASES'] !== undefined;

/** Total memory limit of its queries. */
const QUERY_MEGABYTES = 512;
/** Maximum growth of the process's memory during one attack. Measured: 252 at most, and 10 for most. */
const MOST_MORE_MEGABYTES = 400;
/**
 * Maximum memory of the process: 512 for queries, a quarter of that for threads that decode, 200 for Node and its modules, and
 * what allocators keep of attack after attack without a pause. Measured: 860 to 1104 on several machines.
 */
const MOST_MEGABYTES = 1200;

let folder: string;
let root: string;
let spool: string;
let database: TestDatabase;
let executor: ExecutorProcess;
let bearer: string;
let places: Readonly<Record<string, string>>;
const got = new Map<Attack, string>();
let mostHeld = 0;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-executor-')));
  root = join(folder, 'root');
  await mkdir(join(folder, 'spool'));
  await makeHostileFiles(root);
  database = await createTestDatabase({ migrate });
  const { issuer, audience, mint } = await testAuthorization();
  executor = await startExecutorProcess({
    SVC_DATABASE_URL: database.url,
    SVC_TOKEN_ISSUER: issuer,
    SVC_TOKEN_AUDIENCE: audience,
    SVC_FILE_ROOTS: root,
    SVC_SPOOL_DIR: join(folder, 'spool'),
    SVC_SPOOL_MB: '40',
    SVC_QUERY_MEMORY_MB: String(QUERY_MEGABYTES),
    SVC_QUERY_THREADS: '2',
    SVC_QUERY_CONCURRENCY: '4',
    // Longer than any attack takes; one that reached it would be noticed.
    SVC_QUERY_TIMEOUT_MS: '100000',
    SVC_BODY_LIMIT_KB: '64',
  });
  bearer = `Bearer ${await mint({ sub: 'mallory' })}`;
  const good = await send('SELECT x AS n, "text" AS t FROM RANGE(0, 1000) x', { headers: { 'X-SVC-Output-Format': 'parquet-raw' } });
  await makeParquetFiles(root, Buffer.from(await good.arrayBuffer()));
  // Another subject's copy, created by reading a format that the engine cannot read itself.
  const { text } = await post('SELECT n FROM READ("file:other.csv")', {
    headers: { Authorization: `Bearer ${await mint({ sub: 'victim' })}` },
  });
  spool = join(folder, 'spool', ...(await readdir(join(folder, 'spool'))));
  const [copy] = await readdir(join(spool, 'copies'));
  if (text !== '7\n' || copy === undefined) throw new Error(`there is no copy of the victim's: ${text}`);
  places = { root, spool, spoolName: basename(spool), outside: join(root, '../outside'), copy };
});
afterAll(async () => {
  await executor.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

describe.each(Object.entries(ATTACKS))('%s', (_, attacks) => {
  test.each(attacks)('$what', async (attack) => {
    const { now } = await memoryOf(executor.pid);
    await forgetPeak(executor.pid);
    const answer = await post(placed(attack.query), attack);
    const { peak } = await memoryOf(executor.pid);
    mostHeld = Math.max(mostHeld, peak);
    const said = answer.status === 200 ? answer.text : failureOf(answer.text);
    got.set(attack, `${answer.status === 200 ? 'answered: ' : ''}${shown(said.trimEnd())}`);
    expect({ ...answer, isAsExpected: isAsExpected(attack, answer, said) }).toEqual({ ...answer, isAsExpected: true });
    expect(peak - now).toBeLessThan(MOST_MORE_MEGABYTES);
    expectNoLeak(answer.text, attack.query + (attack.search ?? ''));
    expect(await post('1 + 1')).toEqual({ status: 200, text: '2\n' });
    expect(await load()).toEqual({ running: 0, waiting: 0 });
  });
});

test('Parquet files with any byte changed are read or refused, and the process lives', async () => {
  const good = await readFile(join(root, 'good.parquet'));
  const statuses: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const bad = Buffer.from(good);
    // From the end, where the footer is; the same bytes in each run.
    const at = good.length - 1 - ((i * 7919) % Math.min(good.length, 2000));
    bad[at] = ((bad[at] ?? 0) ^ (1 + ((i * 31) % 255))) & 255;
    await writeFile(join(root, `mutated-${i}.parquet`), bad);
    const answer = await post(`READ("file:mutated-${i}.parquet")`);
    expectNoLeak(answer.text, '');
    statuses.push(answer.status);
  }
  expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(5);
  expect((await post('READ("file:good.parquet")')).status).toBe(200);
});

test('clients that leave at any moment, whatever they asked for, leave no query and no open file behind', async () => {
  // Queries rejected before anything is opened leave nothing open.
  const opening = Object.values(ATTACKS).filter((attacks) => attacks !== ADDRESSES);
  const queries = [...opening.flat(), ...LONG_RESULTS].map((left) => ({ ...left, query: placed(left.query) }));
  const [first, ...others] = queries;
  if (first === undefined) throw new Error('there are attacks');
  await sendAndLeave({ url: executor.url, bearer, queries: [first, ...others], times: 200, seed: 7 });
  await eventually(async () => {
    expect(await load()).toEqual({ running: 0, waiting: 0 });
    expect(await openFiles()).toEqual([]);
  });
  expect(await post('1 + 1')).toEqual({ status: 200, text: '2\n' });
});

test('nothing is left in the spool but copies of what may be read', async () => {
  const entries = await readdir(spool, { recursive: true, withFileTypes: true });
  const left = entries.filter((entry) => entry.isFile() && entry.name !== 'lock');
  for (const { parentPath } of left) expect(parentPath).toBe(join(spool, 'copies'));
  expect(left.length).toBeLessThan(3);
});

test(`the process never held ${MOST_MEGABYTES} MB, garbage and all`, () => {
  expect(mostHeld).toBeGreaterThan(100);
  expect(mostHeld).toBeLessThan(MOST_MEGABYTES);
});

test('no attack was a failure of ours, in the log', () => {
  expect(executor.log.filter(({ level }) => level !== 'warn')).toEqual([]);
});

test('when it stops, the spool is empty', async () => {
  expect(await executor.end()).toBe(0);
  expect(await readdir(join(folder, 'spool'))).toEqual([]);
});

test('docs/security.md says what each attack got', async () => {
  const written = await readFile(PAGE, 'utf8');
  if (isRewriting) await writeFile(PAGE, page(written));
  expect(await readFile(PAGE, 'utf8')).toBe(page(written));
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

function isAsExpected({ expected }: Attack, { status, text }: Answer, said: string): boolean {
  return typeof expected === 'string' ? status === 200 && text === placed(expected) : status === 400 && expected.test(said);
}

type Sent = Pick<Attack, 'search' | 'headers'>;

async function send(query: string, { search = '', headers = {} }: Sent = {}): Promise<Response> {
  return fetch(`${executor.url}/query${search}`, {
    method: 'POST',
    body: query,
    headers: { Authorization: bearer, 'Content-Type': 'text/plain', ...headers },
  });
}

async function post(query: string, sent?: Sent): Promise<Answer> {
  const answer = await send(query, sent);
  return { status: answer.status, text: await answer.text() };
}

/** Queries that hold or await a place, as the process counts them. */
async function load(): Promise<{ readonly running: number; readonly waiting: number }> {
  const metrics = await (await fetch(`${executor.adminUrl}/metrics`)).text();
  const [running = -1, waiting = -1] = ['running', 'waiting'].map((what) =>
    Number(new RegExp(`^svc_queries_${what} (\\d+)$`, 'm').exec(metrics)?.[1]),
  );
  return { running, waiting };
}

/** Returns the readable files, and copies of them, that the process holds open. */
async function openFiles(): Promise<readonly string[]> {
  const folder = `/proc/${executor.pid}/fd`;
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')));
  return links.filter((path) => path.startsWith(root) || (path.startsWith(spool) && basename(path) !== 'lock'));
}

function placed(query: string): string {
  return query.replace(/\{(root|spool|spoolName|outside|copy)\}/g, (_, name: string) => places[name] ?? '');
}

/** Returns all messages of a failure. */
function failureOf(text: string): string {
  const body = JSON.parse(text) as {
    readonly message?: string;
    readonly validationErrors?: readonly { readonly message: string }[];
    readonly runtimeError?: { readonly message: string } | null;
  };
  const errors = [...(body.validationErrors ?? []), ...(body.runtimeError ? [body.runtimeError] : [])];
  return body.message ?? errors.map(({ message }) => message).join('; ');
}

/** Every format, with and without compression. */
const LONG_RESULTS = ['hjson', 'json', 'csv', 'sqlite', 'parquet-avro', 'parquet-raw'].flatMap((format) =>
  ['identity', 'gzip', 'br', 'zstd'].map((encoding) => ({
    query: 'SELECT x, "text " || x * 7919 AS t FROM RANGE(0, 3000000) x',
    headers: { 'X-SVC-Output-Format': format, 'Accept-Encoding': encoding },
  })),
);

/** Words that occur only in the engine's messages, generated SQL or the server's paths. */
const LEAKS =
  /\bLINE \d+:|read_(csv|json|parquet|text|blob)\(|[Dd]uck|enable_external_access|allowed_directories|svc-executor|root:x|hidden secret|\bat .*\.ts:\d/;

/** Expects that the text contains nothing of the server, except what the caller sent. */
function expectNoLeak(text: string, query: string): void {
  const words = [query, placed(query)].flatMap((sent) => [...sent.matchAll(/[^\s"'`;()]{4,}/g)].map(([word]) => word));
  const rest = [...new Set(words)].toSorted((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, '…'), text);
  expect(rest).not.toMatch(LEAKS);
  expect(rest).not.toContain(root);
  expect(rest).not.toContain(spool);
}

/** Returns the page with its lists as they are now; the part before them is written by hand. */
function page(before: string): string {
  const sections = Object.entries(ATTACKS).map(([title, attacks]) => {
    const lines = attacks.map((attack) => `| ${cell(attack.what)} | ${cell(got.get(attack) ?? '')} |`);
    return `## ${title}\n\n| attack | got |\n| --- | --- |\n${lines.join('\n')}\n`;
  });
  return `${before.slice(0, before.indexOf(LISTS) + LISTS.length)}\n\n${sections.join('\n')}`;
}

function cell(text: string): string {
  const visible = text.replaceAll('\0', '␀').replaceAll('\n', '⏎');
  return visible.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');
}

/** Replaces the folders of this run by placeholders, and truncates the text to one line. */
function shown(text: string): string {
  const general = Object.entries(places).reduce((left, [name, path]) => left.replaceAll(path, `{${name}}`), text);
  const points = [...general];
  return points.length > 120 ? `${points.slice(0, 120).join('')}…` : general;
}
