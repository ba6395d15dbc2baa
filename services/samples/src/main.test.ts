import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';

import { createTestBucket } from '@svc/test-kit';

async function runJob(env: Readonly<Record<string, string>>): Promise<{ readonly code: number | null; readonly errors: string }> {
  const main = new URL('./main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--conditions=@svc/source', '--disable-warning=ExperimentalWarning', main], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [errors, code] = await Promise.all([text(child.stderr), ended]);
  return { code, errors };
}

test('the files of a folder become the objects of a bucket, and a second run replaces them', async () => {
  const { name: bucket, endpoint, region, accessKey, secretKey } = await createTestBucket();
  const directory = await mkdtemp(join(tmpdir(), 'svc-samples-'));
  const env = {
    SVC_S3_ENDPOINT: endpoint,
    SVC_SAMPLES_ACCESS_KEY: accessKey,
    SVC_SAMPLES_SECRET_KEY: secretKey,
    SVC_SAMPLES_DIR: directory,
    SVC_SAMPLES_BUCKET: bucket,
  };
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  try {
    await Promise.all(['a.csv', 'b.json'].map((file) => writeFile(join(directory, file), file)));
    expect(await runJob(env)).toEqual({ code: 0, errors: '' });
    await writeFile(join(directory, 'a.csv'), 'changed');
    expect(await runJob(env)).toEqual({ code: 0, errors: '' });
    const { Contents: objects } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    expect(objects?.map(({ Key: key }) => key)).toEqual(['a.csv', 'b.json']);
    const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'a.csv' }));
    expect(await body?.transformToString()).toBe('changed');
  } finally {
    client.destroy();
    await rm(directory, { recursive: true });
  }
});

test('a wrong secret fails the job, which does not show it', async () => {
  const { endpoint, accessKey } = await createTestBucket();
  const { code, errors } = await runJob({
    SVC_S3_ENDPOINT: endpoint,
    SVC_SAMPLES_ACCESS_KEY: accessKey,
    SVC_SAMPLES_SECRET_KEY: 'a wrong secret',
    SVC_SAMPLES_DIR: tmpdir(),
  });
  expect(code).toBe(1);
  expect(errors).toMatch(/^The bucket cannot be filled: SignatureDoesNotMatch/);
  expect(errors).not.toContain('a wrong secret');
});
