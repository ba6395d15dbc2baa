import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '@svc/test-kit';

import { ask } from '../testing/ask.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';

let gateway: GatewayUnderTest;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-endpoints-'));
  gateway = await startGatewayUnderTest({ env: { SVC_ENDPOINTS_DIR: directory } });
});
afterAll(async () => {
  await gateway.close();
  await rm(directory, { recursive: true, force: true });
});

const write = (name: string, text: string) => writeFile(join(directory, `${name}.yaml`), text);
const list = async () => (await ask(gateway.url, 'get', '/svc/1/api/admin/applications', { as: await gateway.token('ann') })).body;

test('a file is an application of the namespace that it names, as long as it is there', async () => {
  await write('filed', 'namespace: ann\napplication: filed\nscopes: [{ name: a }]');
  await eventually(async () => expect(await list()).toMatchObject([{ application: 'filed', endpoints: [], problems: [] }]));
  await rename(join(directory, 'filed.yaml'), join(directory, 'filed.off'));
  await eventually(async () => expect(await list()).toEqual([]));
});

test('a file that is wrong leaves the last good version, and says what is wrong, until it is put right', async () => {
  await write('wrong', 'namespace: ann\napplication: wrong\nscopes: [{ name: "w:1" }]');
  await eventually(async () => expect(await list()).toMatchObject([{ application: 'wrong' }]));
  await write('wrong', 'namespace: ann\napplication: wrong\npackages: [absent]');
  const problem = { message: 'package absent does not exist', path: '/packages/0' };
  await eventually(async () => expect(await list()).toMatchObject([{ application: 'wrong', endpoints: [], problems: [problem] }]));
  const key = await ask(gateway.url, 'post', '/svc/1/api/admin/keys', {
    as: await gateway.token('ann'),
    body: { name: 'k', scopes: ['w:1'] },
  });
  expect(key.status).toBe(201);
  await write('wrong', 'namespace: ann\napplication: wrong');
  await eventually(async () => expect(await list()).toMatchObject([{ application: 'wrong', endpoints: [], problems: [] }]));
});

test('a file that names no owner any more, or is no text, shows at the application that it was', async () => {
  const text = 'namespace: ann\napplication: torn';
  const shown = (problems: readonly string[]) =>
    eventually(async () =>
      expect(await list()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            application: 'torn',
            problems: problems.map((message) => ({ message: expect.stringContaining(message), path: '' })),
          }),
        ]),
      ),
    );
  await write('torn', text);
  await shown([]);
  await write('torn', `${text}\npackages: [`);
  await shown(['at line 3']);
  await writeFile(join(directory, 'torn.yaml'), Buffer.from(`${text}\ntitle: "\xff"`, 'latin1'));
  await shown(['the file is not UTF-8 text']);
  await write('torn', text);
  await shown([]);
});

test('an application of a file is changed and deleted by its file alone', async () => {
  await write('ruled', 'namespace: ann\napplication: ruled');
  const shown = expect.arrayContaining([expect.objectContaining({ application: 'ruled', title: null })]);
  await eventually(async () => expect(await list()).toEqual(shown));
  const as = await gateway.token('ann');
  const refused = { status: 409, body: { code: 'application_of_file', message: expect.stringContaining('"ruled"') } };
  const body = { application: 'ruled', title: 'other' };
  expect(await ask(gateway.url, 'put', '/svc/1/api/admin/applications/ruled', { as, body })).toMatchObject(refused);
  expect(await ask(gateway.url, 'delete', '/svc/1/api/admin/applications/ruled', { as })).toMatchObject(refused);
  expect(await list()).toEqual(shown);
  await rm(join(directory, 'ruled.yaml'));
  await eventually(async () => expect(await list()).not.toEqual(shown));
  expect(await ask(gateway.url, 'put', '/svc/1/api/admin/applications/ruled', { as, body })).toMatchObject({ status: 200 });
  expect(await ask(gateway.url, 'delete', '/svc/1/api/admin/applications/ruled', { as })).toMatchObject({ status: 204 });
});

test('a file that is called otherwise is not read, and says so', async () => {
  for (const name of ['other.yml', 'Other.yaml', 'notes.txt', '.other.yaml'])
    await writeFile(join(directory, name), 'namespace: ann\napplication: other');
  const fault = [expect.stringContaining('<application>.yaml')];
  await eventually(async () => expect(gateway.details()).toMatchObject({ definitions: { 'other.yml': fault, 'Other.yaml': fault } }));
  expect(JSON.stringify(gateway.details())).not.toMatch(/notes|\.other/);
  await rm(join(directory, 'other.yml'));
  await eventually(async () => expect(JSON.stringify(gateway.details())).not.toContain('other.yml'));
  await rm(join(directory, 'Other.yaml'));
});

test('what cannot be read is a fault of its own, and the files after it are read', async () => {
  await mkdir(join(directory, 'a-folder.yaml'));
  await write('behind', 'namespace: ann\napplication: behind');
  const shown = expect.arrayContaining([expect.objectContaining({ application: 'behind' })]);
  await eventually(async () => expect(await list()).toEqual(shown));
  expect(gateway.details()).toMatchObject({ definitions: { 'a-folder': ['the file cannot be read (EISDIR)'] } });
  await rm(join(directory, 'a-folder.yaml'), { recursive: true });
  await eventually(async () => expect(JSON.stringify(gateway.details())).not.toContain('a-folder'));
  await rm(join(directory, 'behind.yaml'));
  await eventually(async () => expect(await list()).not.toEqual(shown));
});

test('a file that never was good shows with its problems, to the namespace that it names alone', async () => {
  await write('never', 'namespace: bob\napplication: never\nother: 1');
  const bobs = async () => (await ask(gateway.url, 'get', '/svc/1/api/admin/applications', { as: await gateway.token('bob') })).body;
  await eventually(async () =>
    expect(await bobs()).toMatchObject([
      { application: 'never', endpoints: [], problems: [{ message: 'this member is unknown', path: '/other' }] },
    ]),
  );
  expect(JSON.stringify(await list())).not.toContain('never');
  expect(gateway.details()).toMatchObject({ definitions: { never: ['this member is unknown'] } });
});

test('a file cannot take the name of an application of another namespace', async () => {
  const body = { application: 'taken' };
  await ask(gateway.url, 'put', '/svc/1/api/admin/applications/taken', { as: await gateway.token('cid'), body });
  await write('taken', 'namespace: ann\napplication: taken');
  await eventually(async () =>
    expect(gateway.details()).toMatchObject({ definitions: { taken: [expect.stringContaining('another namespace')] } }),
  );
});
