import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '../eventually.ts';

const STARTS = `
  import { startS3Server } from ${JSON.stringify(join(import.meta.dirname, 's3-server.ts'))};
  const { endpoint } = await startS3Server([]);
  process.stdout.write(endpoint);
  setInterval(() => undefined, 1000);
`;

test('the server ends with the process that started it, however that ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-s3-'));
  const env = { ...process.env, TMPDIR: folder };
  const parent = spawn(process.execPath, ['--conditions=@svc/source', '--input-type=module', '-e', STARTS], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(parent, 'exit');
  try {
    const endpoint = String((await once(parent.stdout, 'data'))[0]);
    expect((await fetch(endpoint)).status).toBe(403);
    parent.kill('SIGKILL');
    await eventually(() => expect(fetch(endpoint)).rejects.toThrow('fetch failed'));
  } finally {
    parent.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
});
