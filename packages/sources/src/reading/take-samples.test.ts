import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { OpenFiles } from '../spool/open-files.ts';
import { Spool } from '../spool/spool.ts';
import { SpoolLedger } from '../spool/spool-ledger.ts';
import type { FoundObject } from '../transports/transport.ts';
import { QueryReading } from './query-reading.ts';
import { takeSamples } from './take-samples.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-samples-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function localFile(name: string): Promise<FoundObject> {
  const path = join(folder, name);
  await writeFile(path, 'x');
  return {
    location: `file:${name}`,
    name,
    size: 1,
    modified: null,
    identity: path,
    isPersonal: false,
    bytes: { kind: 'local', path },
  };
}

test('more local files than may be open at once are refused before the first is opened', async () => {
  const openFiles = new OpenFiles({ most: 2 });
  const spool = new Spool({ directory: folder, ledger: new SpoolLedger({ megabytes: 1 }), openFiles });
  const reading = new QueryReading('reader');
  const sampling = { spool, reading, signal: new AbortController().signal, options: {}, formatOf: () => null };
  const objects = [await localFile('a'), await localFile('b'), await localFile('c')];
  await expect(takeSamples(objects, sampling)).rejects.toThrow('the pattern names more than 2 files');
  expect(await takeSamples(objects.slice(1), sampling)).toHaveLength(2);
  reading.close();
});
